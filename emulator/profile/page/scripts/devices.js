// Peak figures for the roofline: dense, at boost clock; FLOP/s in 10^12, bytes of device memory in 10^9 a second.
// As NVIDIA published them; tensor is FP16 with FP32 sums. Read in November 2026.
const devices = [
  {
    name: "H100 SXM",
    year: 2022,
    bandwidth: 3352,
    fp16: 133.8,
    fp32: 66.9,
    fp64: 33.5,
    tensor: 989.4,
    origin: "NVIDIA H100 Tensor Core GPU Architecture (white paper)"
  },
  {
    name: "H200 SXM",
    year: 2023,
    bandwidth: 4800,
    fp16: 133.8,
    fp32: 66.9,
    fp64: 33.5,
    tensor: 989.4,
    origin: "NVIDIA H200 Tensor Core GPU (data sheet)"
  },
  {
    name: "A100 SXM 80 GB",
    year: 2020,
    bandwidth: 2039,
    fp16: 78,
    fp32: 19.5,
    fp64: 9.7,
    tensor: 312,
    origin: "NVIDIA A100 Tensor Core GPU (data sheet)"
  },
  {
    name: "V100 SXM2",
    year: 2017,
    bandwidth: 900,
    fp16: 31.4,
    fp32: 15.7,
    fp64: 7.8,
    tensor: 125,
    origin: "NVIDIA Tesla V100 GPU Architecture (white paper)"
  },
  {
    name: "L4",
    year: 2023,
    bandwidth: 300,
    fp16: 30.3,
    fp32: 30.3,
    fp64: 0.47,
    tensor: 121,
    origin: "NVIDIA L4 Tensor Core GPU (data sheet)"
  },
  {
    name: "T4",
    year: 2018,
    bandwidth: 320,
    fp16: 16.2,
    fp32: 8.1,
    fp64: 0.25,
    tensor: 65,
    origin: "NVIDIA T4 Tensor Core GPU (data sheet)"
  },
  {
    name: "GeForce RTX 4090",
    year: 2022,
    bandwidth: 1008,
    fp16: 82.6,
    fp32: 82.6,
    fp64: 1.29,
    tensor: 165.2,
    origin: "NVIDIA Ada GPU Architecture (white paper)"
  },
];

const arithmeticKinds = [
  {key: "fp16", counter: "flops_fp16", title: "FP16"},
  {key: "fp32", counter: "flops_fp32", title: "FP32"},
  {key: "fp64", counter: "flops_fp64", title: "FP64"},
  {key: "tensor", counter: "flops_tensor", title: "tensor cores"},
];
