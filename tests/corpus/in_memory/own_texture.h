#pragma once
template <class T>
struct texture {
  T value;
};
