// The C face of cvx.cpp. Each function gives NULL, or a message that the
// caller frees: no C++ exception leaves this file.
#ifndef CROKCAM_CVX_H
#define CROKCAM_CVX_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

char *cvx_decode(const void *data, int size, int flags, void *dst);
char *cvx_encode_jpeg(const void *src, int quality, unsigned char **out, size_t *size);
char *cvx_cvt_color(const void *src, void *dst, int code);
char *cvx_resize(const void *src, void *dst, int width, int height, int interpolation);
char *cvx_orient(const void *src, void *dst, int orientation);
char *cvx_warp(const void *src, void *dst, const double *homography, int width, int height, int interpolation);
char *cvx_smooth(const float *src, float *dst, int width, int height, int size, double sigma);
char *cvx_shrink(const float *src, float *dst, int width, int height, int to_width, int to_height);
char *cvx_fit_ellipse(const float *xy, int count, double *out);

#ifdef __cplusplus
}
#endif

#endif
