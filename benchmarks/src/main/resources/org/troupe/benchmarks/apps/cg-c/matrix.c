#include "matrix.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const problem problems[] = {
    {'S', 1400, 7, 15, 10, 8.5971775078648},      {'W', 7000, 8, 15, 12, 10.362595087124},
    {'A', 14000, 11, 15, 20, 17.130235054029},    {'B', 75000, 13, 75, 60, 22.712745482631},
    {'C', 150000, 15, 75, 110, 28.973605592845},
};

const problem *problem_of(char name) {
  for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
    if (problems[i].name == name) {
      return &problems[i];
    }
  }
  return NULL;
}

/* The sparse random vectors whose outer products sum to the matrix. */
typedef struct {
  int stride; /* elements reserved for one vector */
  int *lengths;
  int *places;
  double *numbers;
  double *weights;
} vectors;

/* Modulo 2^46; the overflow of 64 bits is a multiple of it. */
static double next(uint64_t *seed) {
  *seed = *seed * 1220703125u & ((UINT64_C(1) << 46) - 1);
  return ldexp((double)*seed, -46);
}

static int index_of(int place, const int *places, int length) {
  int at = 0;
  while (at < length && places[at] != place) {
    at++;
  }
  return at;
}

static vectors random_vectors(const problem *of) {
  int stride = of->nonzeros + 1;
  vectors all = {stride, malloc(of->order * sizeof(int)),
                 malloc((size_t)of->order * stride * sizeof(int)),
                 malloc((size_t)of->order * stride * sizeof(double)),
                 malloc(of->order * sizeof(double))};
  uint64_t seed = 314159265;
  int power = 1;
  while (power < of->order) {
    power *= 2;
  }
  double weight = 1, ratio = pow(0.1, 1.0 / of->order);
  next(&seed); /* the benchmark discards the first number */
  for (int vector = 0; vector < of->order; vector++) {
    int *places = all.places + (size_t)vector * stride;
    double *numbers = all.numbers + (size_t)vector * stride;
    int length = 0;
    while (length < of->nonzeros) {
      double number = next(&seed);
      int place = (int)(power * next(&seed));
      if (place < of->order && index_of(place, places, length) == length) {
        places[length] = place;
        numbers[length++] = number;
      }
    }
    int diagonal = index_of(vector, places, length);
    places[diagonal] = vector;
    numbers[diagonal] = 0.5;
    all.lengths[vector] = diagonal == length ? length + 1 : length;
    all.weights[vector] = weight;
    weight *= ratio;
  }
  return all;
}

static int ascending(const void *a, const void *b) {
  int first = *(const int *)a, second = *(const int *)b;
  return (first > second) - (first < second);
}

matrix generate(const problem *of, int first_row, int rows, int first_column, int columns) {
  vectors all = random_vectors(of);
  size_t entries = (size_t)of->order * all.stride;

  /* for each row, its positions in the list of vector indices */
  size_t *begins = calloc(rows + 2, sizeof(size_t)), *touching = malloc(entries * sizeof(size_t));
  for (int pass = 0; pass < 2; pass++) {
    for (int vector = 0; vector < of->order; vector++) {
      size_t begin = (size_t)vector * all.stride;
      for (size_t i = begin; i < begin + all.lengths[vector]; i++) {
        int row = all.places[i] - first_row;
        if (row >= 0 && row < rows) {
          if (pass == 0) {
            begins[row + 2]++;
          } else {
            touching[begins[row + 1]++] = i;
          }
        }
      }
    }
    for (int row = 0; pass == 0 && row < rows; row++) {
      begins[row + 2] += begins[row + 1];
    }
  }

  size_t stride = (size_t)rows * all.stride, count = 0;
  matrix made = {rows, malloc((rows + 1) * sizeof(int)), malloc(stride * sizeof(int)),
                 malloc(stride * sizeof(double))};
  double *sums = calloc(columns, sizeof(double));
  char *there = calloc(columns, 1);
  int *found = malloc(columns * sizeof(int));
  for (int row = 0; row < rows; row++) {
    int in_row = 0;
    made.starts[row] = count;
    for (size_t k = begins[row]; k < begins[row + 1]; k++) {
      int vector = touching[k] / all.stride;
      double scale = all.weights[vector] * all.numbers[touching[k]];
      size_t begin = (size_t)vector * all.stride;
      for (size_t i = begin; i < begin + all.lengths[vector]; i++) {
        int column = all.places[i] - first_column;
        if (column >= 0 && column < columns) {
          if (!there[column]) {
            there[column] = 1;
            found[in_row++] = column;
          }
          int is_diagonal = i == touching[k] && all.places[i] == vector;
          sums[column] += all.numbers[i] * scale + (is_diagonal ? 0.1 - of->shift : 0);
        }
      }
    }
    if (count + in_row > stride) {
      stride = stride + stride / 2 + in_row;
      made.columns = realloc(made.columns, stride * sizeof(int));
      made.values = realloc(made.values, stride * sizeof(double));
    }
    qsort(found, in_row, sizeof(int), ascending);
    for (int i = 0; i < in_row; i++) {
      made.columns[count] = found[i];
      made.values[count++] = sums[found[i]];
      sums[found[i]] = 0;
      there[found[i]] = 0;
    }
  }
  made.starts[rows] = count;
  free(found);
  free(there);
  free(sums);
  free(touching);
  free(begins);
  free(all.lengths);
  free(all.places);
  free(all.numbers);
  free(all.weights);
  return made;
}

/* With one sum, each addition would wait for the one before it, so there are four. */
void multiply(const matrix *by, const double *restrict vector, double *restrict product) {
  const int *restrict columns = by->columns;
  const double *restrict values = by->values;
  for (int row = 0; row < by->rows; row++) {
    int i = by->starts[row], end = by->starts[row + 1];
    double first = 0, second = 0, third = 0, fourth = 0;
    for (; i < end - 3; i += 4) {
      first += values[i] * vector[columns[i]];
      second += values[i + 1] * vector[columns[i + 1]];
      third += values[i + 2] * vector[columns[i + 2]];
      fourth += values[i + 3] * vector[columns[i + 3]];
    }
    for (; i < end; i++) {
      first += values[i] * vector[columns[i]];
    }
    product[row] = first + second + (third + fourth);
  }
}
