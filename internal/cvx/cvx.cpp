#include "cvx.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

namespace {

char *message(const char *text) {
  char *copy = static_cast<char *>(std::malloc(std::strlen(text) + 1));
  if (copy == nullptr) {
    std::abort();  // not even an error can be told any more
  }
  return std::strcpy(copy, text);
}

// guarded runs f and turns whatever it throws into a message.
template <typename F>
char *guarded(F f) {
  try {
    f();
    return nullptr;
  } catch (const cv::Exception &e) {
    return message(e.err.empty() ? e.what() : e.err.c_str());
  } catch (const std::exception &e) {
    return message(e.what());
  } catch (...) {
    return message("unknown C++ exception");
  }
}

const cv::Mat &in(const void *m) { return *static_cast<const cv::Mat *>(m); }
cv::Mat &out(void *m) { return *static_cast<cv::Mat *>(m); }

// floats is a picture of three floats a pixel that somebody else holds. What is
// written to it is written in place: its size and type are what they ought to be.
cv::Mat floats(const float *p, int width, int height) {
  return cv::Mat(height, width, CV_32FC3, const_cast<float *>(p));
}

}  // namespace

char *cvx_decode(const void *data, int size, int flags, void *dst) {
  return guarded([&] {
    const cv::Mat bytes(1, size, CV_8UC1, const_cast<void *>(data));
    out(dst) = cv::imdecode(bytes, flags);
    if (out(dst).empty()) {
      throw std::runtime_error("no picture could be read from the data");
    }
  });
}

char *cvx_encode_jpeg(const void *src, int quality, unsigned char **bytes, size_t *size) {
  return guarded([&] {
    std::vector<unsigned char> buffer;
    if (!cv::imencode(".jpg", in(src), buffer, {cv::IMWRITE_JPEG_QUALITY, quality}) || buffer.empty()) {
      throw std::runtime_error("the encoder gave nothing");
    }
    *bytes = static_cast<unsigned char *>(std::malloc(buffer.size()));
    if (*bytes == nullptr) {
      throw std::bad_alloc();
    }
    std::memcpy(*bytes, buffer.data(), buffer.size());
    *size = buffer.size();
  });
}

char *cvx_cvt_color(const void *src, void *dst, int code) {
  return guarded([&] { cv::cvtColor(in(src), out(dst), code); });
}

char *cvx_resize(const void *src, void *dst, int width, int height, int interpolation) {
  return guarded([&] { cv::resize(in(src), out(dst), cv::Size(width, height), 0, 0, interpolation); });
}

char *cvx_orient(const void *src, void *dst, int orientation) {
  return guarded([&] {
    const cv::Mat &s = in(src);
    cv::Mat &d = out(dst);
    switch (orientation) {
      case 1: s.copyTo(d); break;
      case 2: cv::flip(s, d, 1); break;
      case 3: cv::flip(s, d, -1); break;
      case 4: cv::flip(s, d, 0); break;
      case 5: cv::transpose(s, d); break;
      case 6: cv::rotate(s, d, cv::ROTATE_90_CLOCKWISE); break;
      case 7: cv::transpose(s, d); cv::flip(d, d, -1); break;
      case 8: cv::rotate(s, d, cv::ROTATE_90_COUNTERCLOCKWISE); break;
      default: throw std::runtime_error("orientation must be 1 to 8");
    }
  });
}

char *cvx_warp(const void *src, void *dst, const double *homography, int width, int height, int interpolation) {
  return guarded([&] {
    const cv::Mat h(3, 3, CV_64F, const_cast<double *>(homography));
    cv::warpPerspective(in(src), out(dst), h, cv::Size(width, height), interpolation | cv::WARP_INVERSE_MAP);
  });
}

char *cvx_smooth(const float *src, float *dst, int width, int height, int size, double sigma) {
  return guarded([&] {
    cv::Mat to = floats(dst, width, height);
    cv::GaussianBlur(floats(src, width, height), to, cv::Size(size, size), sigma, sigma, cv::BORDER_REPLICATE);
  });
}

char *cvx_shrink(const float *src, float *dst, int width, int height, int to_width, int to_height) {
  return guarded([&] {
    cv::Mat to = floats(dst, to_width, to_height);
    cv::resize(floats(src, width, height), to, to.size(), 0, 0, cv::INTER_AREA);
  });
}

char *cvx_fit_ellipse(const float *xy, int count, double *e) {
  return guarded([&] {
    const cv::Mat points(count, 1, CV_32FC2, const_cast<float *>(xy));
    const cv::RotatedRect r = cv::fitEllipse(points);
    e[0] = r.center.x;
    e[1] = r.center.y;
    e[2] = r.size.width / 2;
    e[3] = r.size.height / 2;
    e[4] = r.angle;
  });
}
