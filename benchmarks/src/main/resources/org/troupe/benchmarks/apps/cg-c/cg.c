/*
 * The conjugate gradient kernel of the NAS parallel benchmarks in C with MPI, with the matrix
 * distributed by rows or by blocks like that of apps/classics.
 *
 *   mpirun -np 2 ./cg CLASS rows|blocks [ROUNDS]
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"

enum { SOLUTION_STEPS = 25 };

static int rank, size;
static matrix part;
static int length; /* of this process's part of each vector */
static MPI_Comm summing; /* the processes whose parts form a vector */

/* By rows: each process has some rows, and needs the whole vector for a product. */
static double *whole;
static int *counts, *begins;

/* By blocks: see multiply_blocks. */
static MPI_Comm same_parity;
static int parities, opposite;
static double *product_of_rows, *own, *neighbours, *swapped;
static int neighbours_length;

static int block_begin(int index, int count, int all) {
  int rest = all % count;
  return index * (all / count) + (index < rest ? index : rest);
}

static int block_length(int index, int count, int all) {
  return block_begin(index + 1, count, all) - block_begin(index, count, all);
}

static void take_rows(const problem *of) {
  counts = malloc(size * sizeof(int));
  begins = malloc(size * sizeof(int));
  for (int i = 0; i < size; i++) {
    counts[i] = block_length(i, size, of->order);
    begins[i] = block_begin(i, size, of->order);
  }
  whole = malloc(of->order * sizeof(double));
  length = counts[rank];
  part = generate(of, begins[rank], length, 0, of->order);
  summing = MPI_COMM_WORLD;
}

static void take_block(const problem *of) {
  int height = 1;
  while (4 * height * height <= size) {
    height *= 2;
  }
  int width = size / height;
  parities = width / height;
  int row = rank / width, column = rank % width, own_parity = column % parities;
  MPI_Comm_split(MPI_COMM_WORLD, row, rank, &summing);
  MPI_Comm_split(MPI_COMM_WORLD, row * parities + own_parity, rank, &same_parity);
  opposite = column / parities * width + row * parities + own_parity;

  int first_row = block_begin(row * parities, width, of->order);
  int upper = block_length(row * parities, width, of->order);
  int rows = block_begin((row + 1) * parities, width, of->order) - first_row;
  length = block_length(column, width, of->order);
  part = generate(of, first_row, rows, block_begin(column, width, of->order), length);
  product_of_rows = malloc(rows * sizeof(double));
  swapped = malloc(rows * sizeof(double));
  own = product_of_rows + (own_parity == 0 ? 0 : upper);
  neighbours = product_of_rows + (own_parity == 0 ? upper : 0);
  neighbours_length = rows - (parities == 1 ? rows : length);
}

static void multiply_rows(double *vector, double *product) {
  MPI_Allgatherv(vector, length, MPI_DOUBLE, whole, counts, begins, MPI_DOUBLE, MPI_COMM_WORLD);
  multiply(&part, whole, product);
}

/*
 * There are as many columns of blocks as rows, or twice as many. A product is summed along each
 * row of blocks, and is needed by columns, on the other side of the diagonal. With twice as many
 * columns, neighbours first swap halves, then the even and the odd columns each sum one half.
 */
static void multiply_blocks(double *vector, double *product) {
  multiply(&part, vector, product_of_rows);
  if (parities == 2) {
    MPI_Sendrecv(neighbours, neighbours_length, MPI_DOUBLE, rank ^ 1, 0, swapped, length,
                 MPI_DOUBLE, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < length; i++) {
      own[i] += swapped[i];
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, own, length, MPI_DOUBLE, MPI_SUM, same_parity);
  if (opposite == rank) {
    memcpy(product, own, length * sizeof(double));
  } else {
    MPI_Sendrecv(own, length, MPI_DOUBLE, opposite, 0, product, length, MPI_DOUBLE, opposite, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void (*multiply_parts)(double *vector, double *product);

static double product_of(const double *a, const double *b) {
  double even = 0, odd = 0, all;
  int i = 0;
  for (; i < length - 1; i += 2) {
    even += a[i] * b[i];
    odd += a[i + 1] * b[i + 1];
  }
  if (i < length) {
    even += a[i] * b[i];
  }
  even += odd;
  MPI_Allreduce(&even, &all, 1, MPI_DOUBLE, MPI_SUM, summing);
  return all;
}

static double *x, *z, *p, *q, *r;

static double solve(void) {
  memset(z, 0, length * sizeof(double));
  memcpy(r, x, length * sizeof(double));
  memcpy(p, x, length * sizeof(double));
  double rho = product_of(r, r);
  for (int step = 0; step < SOLUTION_STEPS; step++) {
    multiply_parts(p, q);
    double alpha = rho / product_of(p, q);
    for (int i = 0; i < length; i++) {
      z[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    double last = rho;
    rho = product_of(r, r);
    double beta = rho / last;
    for (int i = 0; i < length; i++) {
      p[i] = r[i] + beta * p[i];
    }
  }
  multiply_parts(z, r);
  for (int i = 0; i < length; i++) {
    r[i] = x[i] - r[i];
  }
  return sqrt(product_of(r, r));
}

static double iterate(const problem *of, double *residual) {
  double zeta = 0;
  for (int i = 0; i < length; i++) {
    x[i] = 1;
  }
  for (int step = 0; step < of->iterations; step++) {
    *residual = solve();
    zeta = of->shift + 1 / product_of(x, z);
    double scale = 1 / sqrt(product_of(z, z));
    for (int i = 0; i < length; i++) {
      x[i] = scale * z[i];
    }
  }
  return zeta;
}

static int ascending(const void *a, const void *b) {
  double first = *(const double *)a, second = *(const double *)b;
  return (first > second) - (first < second);
}

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const problem *of = count < 3 ? NULL : problem_of(arguments[1][0]);
  int rounds = count < 4 ? 3 : atoi(arguments[3]);
  int by_rows = count > 2 && strcmp(arguments[2], "rows") == 0;
  if (of == NULL || rounds < 1 || (!by_rows && strcmp(arguments[2], "blocks") != 0)) {
    if (rank == 0) {
      fprintf(stderr, "usage: cg S|W|A|B|C rows|blocks [ROUNDS]\n");
    }
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  if (!by_rows && (size & (size - 1)) != 0) {
    if (rank == 0) {
      fprintf(stderr, "%d processes make no square of blocks, nor half of one: give a power of two\n",
              size);
    }
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  if (by_rows) {
    take_rows(of);
  } else {
    take_block(of);
  }
  multiply_parts = by_rows ? multiply_rows : multiply_blocks;
  x = malloc(length * sizeof(double));
  z = malloc(length * sizeof(double));
  p = malloc(length * sizeof(double));
  q = malloc(length * sizeof(double));
  r = malloc(length * sizeof(double));

  double *seconds = malloc(rounds * sizeof(double)), zeta = 0, residual = 0;
  for (int round = 0; round < rounds; round++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    zeta = iterate(of, &residual);
    MPI_Barrier(MPI_COMM_WORLD);
    seconds[round] = MPI_Wtime() - began;
  }
  qsort(seconds, rounds, sizeof(double), ascending);
  int right = fabs(zeta - of->zeta) <= 1e-10 * of->zeta;
  if (rank == 0) {
    printf("class %c %s processes %d seconds %.6f zeta %.13f residual %.2e %s\n", of->name,
           by_rows ? "rows" : "blocks", size,
           (seconds[(rounds - 1) / 2] + seconds[rounds / 2]) / 2, zeta, residual,
           right ? "verified" : "WRONG");
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
