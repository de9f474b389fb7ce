# Build:  docker build -t crokcam .
# Token:  docker run --rm -v crokcam:/data crokcam token create --role organiser NAME
# Run:    docker run --rm -p 8080:8080 -v crokcam:/data crokcam

FROM golang:1.26-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends g++ pkg-config libopencv-dev lld \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# The modules, and OpenCV's bindings with them, change less often than the
# program: they stay in a layer of their own.
COPY go.mod go.sum ./
RUN go mod download && go build -trimpath gocv.io/x/gocv
COPY . .
ARG VERSION=development
RUN go build -trimpath \
      -ldflags "-s -w -X main.version=${VERSION} -extldflags '-fuse-ld=lld -Wl,--gc-sections -Wl,--as-needed'" \
      -o /out/crokcam ./cmd/crokcam

FROM debian:bookworm-slim
# Only what the program links; libheif's program reads iPhone pictures, ffmpeg
# reads cameras and videos, and v4l2-ctl sets a camera's focus and exposure. A
# camera is let in with --device /dev/v4l/by-id/… --group-add video.
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      libopencv-core406 libopencv-imgproc406 libopencv-calib3d406 libopencv-imgcodecs406 \
      libopencv-features2d406 libopencv-flann406 libheif-examples \
      ffmpeg v4l-utils \
 && apt-get clean && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 65532 --no-create-home --no-log-init --shell /usr/sbin/nologin crokcam \
 && install --directory --mode 0700 --owner crokcam --group crokcam /data
COPY --from=build /out/crokcam /usr/local/bin/crokcam
USER 65532
# The container's own network is reached from outside only where it is published.
ENV CROKCAM_SERVER_LISTEN=0.0.0.0:8080
# Matches outlive the container.
ENV CROKCAM_MATCHES_FILE=/data/matches.db
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=10s CMD ["crokcam", "healthcheck"]
ENTRYPOINT ["crokcam"]
CMD ["serve"]
