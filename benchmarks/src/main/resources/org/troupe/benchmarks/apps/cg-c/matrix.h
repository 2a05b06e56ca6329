/* The matrix of a problem class of NAS CG in compressed row storage, and products with it. */
#ifndef MATRIX_H
#define MATRIX_H

typedef struct {
  char name;
  int order;
  int nonzeros; /* of each random vector */
  int iterations;
  double shift;
  double zeta; /* the published result */
} problem;

typedef struct {
  int rows;
  int *starts; /* rows + 1 of them */
  int *columns;
  double *values;
} matrix;

/* Returns the problem of a class, or NULL. */
const problem *problem_of(char name);

/* Generates some rows and columns of a problem's matrix; indices are relative to the first ones. */
matrix generate(const problem *of, int first_row, int rows, int first_column, int columns);

void multiply(const matrix *by, const double *restrict vector, double *restrict product);

#endif
