// Where texture and surface references lie. A declaration says it itself, as it says no __device__; where it stands in
// a function's parameters nvcc ignores it, and NVRTC refuses it, so that it gets KILN_UNANNOTATED_REFERENCES and
// -default-device. A source that gives the words other meanings too gets KILN_ANNOTATED_REFERENCES, and `__constant__`
// in its text.
#ifndef KILN_REFERENCE_SPACE_H
#define KILN_REFERENCE_SPACE_H

#ifdef KILN_UNANNOTATED_REFERENCES
#define KILN_REFERENCE_SPACE
#else
#pragma nv_diag_suppress 1835  // an attribute that does not apply here
#define KILN_REFERENCE_SPACE __constant__
#endif

#endif
