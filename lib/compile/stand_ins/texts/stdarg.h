// va_list, va_start, va_arg and va_end are NVRTC's own.
