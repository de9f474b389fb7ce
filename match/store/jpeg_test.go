package store_test

import (
	"bytes"
	"encoding/binary"
	"image/jpeg"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/match/store"
)

// segment is a part of a JPEG file.
func segment(marker byte, data string) []byte {
	b := []byte{0xff, marker, 0, 0}
	binary.BigEndian.PutUint16(b[2:], uint16(len(data)+2))
	return append(b, data...)
}

// phone is what a telephone makes of a picture: turned by Exif, with a place, a
// remark, and a film after the end.
func phone(t *testing.T, order string, turn byte) []byte {
	t.Helper()
	plain := picture(t, 120)
	tiff := "MM\x00\x2a\x00\x00\x00\x08\x00\x02" +
		"\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(turn) + "\x00\x00" +
		"\x88\x25\x00\x04\x00\x00\x00\x01\x00\x00\x00\x26" + "\x00\x00\x00\x00" + "GPS 52.0907 N 5.1214 E"
	if order == "II" {
		tiff = "II\x2a\x00\x08\x00\x00\x00\x02\x00" +
			"\x12\x01\x03\x00\x01\x00\x00\x00" + string(turn) + "\x00\x00\x00" +
			"\x25\x88\x04\x00\x01\x00\x00\x00\x26\x00\x00\x00" + "\x00\x00\x00\x00" + "GPS 52.0907 N 5.1214 E"
	}
	return slices.Concat(plain[:2],
		segment(0xe0, "JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"),
		segment(0xe1, "Exif\x00\x00"+tiff),
		segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00<x:place>Utrecht</x:place>"),
		segment(0xe2, "ICC_PROFILE\x00\x01\x01a profile"), segment(0xe2, "MPF\x00more pictures"),
		segment(0xed, "Photoshop 3.0\x00Utrecht"), segment(0xfe, "taken at home in Utrecht"),
		plain[2:], []byte("a film of Utrecht"))
}

func TestAPictureIsKeptWithoutWhereItWasTaken(t *testing.T) {
	for _, order := range []string{"MM", "II"} {
		for turn := byte(1); turn <= 8; turn++ {
			from := phone(t, order, turn)
			clean, err := store.Clean(from)
			require.NoError(t, err)
			for _, secret := range []string{"Utrecht", "GPS", "52.09", "MPF", "Photoshop", "xap"} {
				require.NotContains(t, string(clean), secret)
			}
			require.Contains(t, string(clean), "ICC_PROFILE\x00\x01\x01a profile", "its colours stay")
			require.True(t, bytes.HasSuffix(clean, []byte{0xff, 0xd9}))
			want, err := jpeg.Decode(bytes.NewReader(from))
			require.NoError(t, err)
			got, err := jpeg.Decode(bytes.NewReader(clean))
			require.NoError(t, err)
			require.Equal(t, want, got, "not a dot of it has changed")
			if turn == 1 {
				require.NotContains(t, string(clean), "Exif")
			} else {
				require.Contains(t, string(clean), "\x01\x12\x00\x03\x00\x00\x00\x01\x00"+string(turn), "it is still the right way up")
			}
			again, err := store.Clean(clean)
			require.NoError(t, err)
			require.Equal(t, clean, again)
		}
	}
}

func TestWhatIsNoWholeJPEGIsNotKept(t *testing.T) {
	whole := phone(t, "MM", 6)
	end := bytes.LastIndex(whole, []byte{0xff, 0xd9})
	for n := range end + 1 {
		_, err := store.Clean(whole[:n])
		require.ErrorIs(t, err, store.ErrPicture, "%d bytes", n)
	}
	_, err := store.Clean(append(slices.Clone(whole), make([]byte, store.MaxPicture)...))
	require.ErrorIs(t, err, store.ErrPicture)
	_, err = store.Clean([]byte("\x89PNG\r\n\x1a\n"))
	require.ErrorIs(t, err, store.ErrPicture)
}

func FuzzCleanNeverPanics(f *testing.F) {
	f.Add(picture(f, 3))
	f.Add([]byte{0xff, 0xd8, 0xff, 0xe1, 0, 16, 'E', 'x', 'i', 'f', 0, 0, 'M', 'M', 0, 42, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		clean, err := store.Clean(b)
		if err != nil {
			require.ErrorIs(t, err, store.ErrPicture)
			return
		}
		again, err := store.Clean(clean)
		require.NoError(t, err)
		require.Equal(t, clean, again)
	})
}
