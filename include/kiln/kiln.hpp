// Everything that Kiln offers.
#pragma once

#include <kiln/argument.hpp>
#include <kiln/array_format.hpp>
#include <kiln/cache.hpp>
#include <kiln/cancel.hpp>
#include <kiln/code_object.hpp>
#include <kiln/compile.hpp>
#include <kiln/compile_all.hpp>
#include <kiln/compile_job.hpp>
#include <kiln/compile_options.hpp>
#include <kiln/device.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/dim3.hpp>
#include <kiln/driver.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/error.hpp>
#include <kiln/event.hpp>
#include <kiln/export.hpp>
#include <kiln/function.hpp>
#include <kiln/launch_attributes.hpp>
#include <kiln/launch_config.hpp>
#include <kiln/launch_plan.hpp>
#include <kiln/log.hpp>
#include <kiln/module.hpp>
#include <kiln/source_module.hpp>
#include <kiln/stream.hpp>
