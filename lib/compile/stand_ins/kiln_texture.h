// For sources that declare texture references, before their first line.
#ifndef KILN_TEXTURE_H
#define KILN_TEXTURE_H

#include <kiln_reference_space.h>
#include <kiln_texture_references.h>

#define texture KILN_REFERENCE_SPACE kiln_texture

#endif
