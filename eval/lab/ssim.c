/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors
 *
 * How alike pictures are: lab-ssim FOOTAGE SHOWN
 *
 * FOOTAGE is a YUV4MPEG2 file (4:2:0, no parameters behind "FRAME"), SHOWN has pictures of the same
 * size one behind the other. Of each line "VIEW FRAME" of the standard input the SSIM of that
 * picture of SHOWN (-1: black) and that frame of the footage, which repeats, is printed
 * (likeness.h).
 */

#include "../common/likeness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FRAME_HEAD "FRAME\n"

typedef struct
{
  const uint8_t *bytes;
  size_t size_bytes;
} File;

static File
open_file (const char *path)
{
  struct stat stat;
  int fd = open (path, O_RDONLY);

  if (fd < 0 || fstat (fd, &stat)) {
    perror (path);
    exit (1);
  }
  File file = { (const uint8_t *) "", stat.st_size };
  if (file.size_bytes)
    file.bytes = mmap (NULL, file.size_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
  if (file.bytes == MAP_FAILED) {
    perror (path);
    exit (1);
  }
  close (fd);
  return file;
}

/* The value of a word of the footage's first line, as W640; 0: there is none. */
static int
word_of (const char *line, char name)
{
  const char pattern[] = { ' ', name, '\0' };
  const char *word = strstr (line, pattern);

  return word ? atoi (word + 2) : 0;
}

int
main (int argc, char **argv)
{
  char line[256] = "";
  long view, frame;

  if (argc != 3) {
    fprintf (stderr, "usage: lab-ssim FOOTAGE SHOWN\n");
    return 2;
  }
  File footage = open_file (argv[1]), shown = open_file (argv[2]);
  size_t most = footage.size_bytes < sizeof line - 1 ? footage.size_bytes : sizeof line - 1;
  memcpy (line, footage.bytes, most);
  size_t first = strcspn (line, "\n") + 1, head = strlen (FRAME_HEAD);
  line[first - 1] = '\0';
  int width = word_of (line, 'W'), height = word_of (line, 'H');
  if (strncmp (line, "YUV4MPEG2 ", 10) || width < SSIM_WINDOW || height < SSIM_WINDOW) {
    fprintf (stderr, "%s: not YUV4MPEG2\n", argv[1]);
    return 1;
  }
  size_t picture = (size_t) width * height * 3 / 2;
  long frames = (footage.size_bytes - first) / (head + picture), views = shown.size_bytes / picture;
  uint8_t *black = calloc (1, picture);
  while (scanf ("%ld %ld", &view, &frame) == 2) {
    if (frames < 1 || frame < 0 || view < -1 || view >= views) {
      fprintf (stderr, "%s: picture %ld of %ld, frame %ld\n", argv[2], view, views, frame);
      return 1;
    }
    const uint8_t *source = footage.bytes + first + (frame % frames) * (head + picture) + head;
    const uint8_t *seen = view < 0 ? black : shown.bytes + view * picture;
    printf ("%.5f\n", ssim (seen, source, width, height));
  }
  free (black);
  return 0;
}
