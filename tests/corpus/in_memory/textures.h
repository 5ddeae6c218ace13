#pragma once
texture<float, 2, cudaReadModeElementType> from_header;
