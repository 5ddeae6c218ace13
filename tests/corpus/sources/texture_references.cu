// kernel: read_all
// run: no
// Declarations as CUDA before 12 takes them, one of them behind a macro, and a texture that only a comment declares:
// texture<double, 2> none;
#define READ_MODE cudaReadModeElementType
texture<float, 2, READ_MODE> plane;
texture<float4, 1> row; /* two in one line */ static texture<int> numbers, more_numbers;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> grey(1, cudaFilterModeLinear, cudaAddressModeWrap);
texture<short2, cudaTextureType1DLayered> lines;
texture<uchar4, cudaTextureType2DLayered, cudaReadModeNormalizedFloat> sheets;
texture<float, cudaTextureType3D, cudaReadModeElementType> volume;
texture<unsigned, cudaTextureTypeCubemap> cube;
texture<float, cudaTextureTypeCubemapLayered> cubes;
surface<void, 1> written_row;
surface<void, cudaSurfaceType2D> written;
surface<void, 3> written_volume;
surface<void, cudaSurfaceType2DLayered> written_sheets;

__global__ void read_all(float* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  float sum = tex2D(plane, i + .5f, .5f) + tex1D(row, i).w + tex1Dfetch(numbers, i) + tex1Dfetch(more_numbers, i);
  sum += tex2D(grey, .5f, .5f) + tex2DLod(grey, .5f, .5f, 1) + tex2Dgather(plane, .5f, .5f, 0).z;
  sum += tex2DGrad(plane, .5f, .5f, make_float2(1, 0), make_float2(0, 1));
  sum += tex1DLayered(lines, i, 1).y + tex2DLayered(sheets, i, 1, 2).x + tex3D(volume, i, 1, 2);
  sum += texCubemap(cube, 1, 0, 0) + texCubemapLayered(cubes, 1, 0, 0, 1);
  float value;
  surf1Dread(&value, written_row, i * 4, cudaBoundaryModeClamp);
  surf1Dwrite(value, written_row, i * 4);
  sum += surf2Dread<float>(written, i * 4, 0);
  surf2Dwrite(sum, written, i * 4, 0, cudaBoundaryModeZero);
  surf3Dwrite(make_float2(sum, 1), written_volume, i * 8, 0, 0);
  surf2DLayeredwrite(surf3Dread<uchar4>(written_volume, i * 4, 0, 0), written_sheets, i * 4, 0, 1);
  out[i] = sum;
}
