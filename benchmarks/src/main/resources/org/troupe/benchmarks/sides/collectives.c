/*
 * Collective operations of Open MPI. Rank 0 reads commands "go NAME:DOUBLES" or "warm up NAME:DOUBLES"
 * from its standard input, and answers each with "= MICROSECONDS". The argument is the duration of a
 * turn in milliseconds.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BARRIER, ALL_REDUCE, BROADCAST, ALL_TO_ALL, PING_PONG, KINDS };
enum { TAG = 1, BALL = 2, WARM_UPS = 3, FEW = 3, IDLE_MICROSECONDS = 10000 };

static const char *const names[] = {"barrier:", "all-reduce:", "broadcast:", "all-to-all:", "ping-pong:"};

static int rank, size;

/* Rank 0 sends the array, rank 1 sends it back; other ranks are idle. */
static void ping_pong(double *values, int doubles) {
  if (rank == 0) {
    MPI_Send(values, doubles, MPI_DOUBLE, 1, BALL, MPI_COMM_WORLD);
    MPI_Recv(values, doubles, MPI_DOUBLE, 1, BALL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(values, doubles, MPI_DOUBLE, 0, BALL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(values, doubles, MPI_DOUBLE, 0, BALL, MPI_COMM_WORLD);
  }
}

/* Runs repetition i of an operation, on all ranks. */
static void once(int kind, double *values, double *sums, int doubles, int i) {
  switch (kind) {
    case BARRIER: MPI_Barrier(MPI_COMM_WORLD); break;
    case ALL_REDUCE: MPI_Allreduce(values, sums, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); break;
    /* The root rotates, so that no rank runs ahead. */
    case BROADCAST: MPI_Bcast(values, doubles, MPI_DOUBLE, i % size, MPI_COMM_WORLD); break;
    case ALL_TO_ALL: MPI_Alltoall(values, doubles, MPI_DOUBLE, sums, doubles, MPI_DOUBLE, MPI_COMM_WORLD); break;
    case PING_PONG: ping_pong(values, doubles); break;
  }
}

/* Repeats an operation on all ranks; returns the seconds of the slowest rank. */
static double seconds(int kind, int doubles, int times) {
  size_t length = (size_t)(doubles ? doubles : 1) * (kind == ALL_TO_ALL ? size : 1);
  double *values = malloc(length * sizeof *values);
  double *sums = malloc(length * sizeof *sums);
  for (size_t i = 0; i < length; i++) values[i] = sums[i] = i; /* pages that are never written all map to one zero page */
  once(kind, values, sums, doubles, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  double began = MPI_Wtime();
  for (int i = 0; i < times; i++) once(kind, values, sums, doubles, i);
  double took = MPI_Wtime() - began, slowest = took;
  MPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  free(values);
  free(sums);
  return slowest;
}

/* Serves the commands of rank 0. Between them the rank sleeps, since MPI's own waiting would use the core of the measurement. */
static void follow(void) {
  for (;;) {
    int is_there = 0, order[3];
    while (!is_there) {
      MPI_Iprobe(0, TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
      if (!is_there) usleep(IDLE_MICROSECONDS);
    }
    MPI_Recv(order, 3, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (order[2] == 0) return;
    seconds(order[0], order[1], order[2]);
  }
}

static double lead(int kind, int doubles, int times) {
  int order[] = {kind, doubles, times};
  for (int i = 1; i < size; i++) MPI_Send(order, 3, MPI_INT, i, TAG, MPI_COMM_WORLD);
  return times ? seconds(kind, doubles, times) : 0;
}

/* Measures for a time; returns the microseconds of one repetition. */
static double micros(int kind, int doubles, double millis) {
  static double known[KINDS]; /* microseconds of a repetition in the previous measurement */
  static int with[KINDS];     /* doubles of that measurement */
  if (known[kind] == 0 || with[kind] != doubles) known[kind] = lead(kind, doubles, FEW) * 1e6 / FEW;
  with[kind] = doubles;
  double most = millis * 1000 / known[kind];
  int times = most < 1 ? 1 : (int)most;
  known[kind] = lead(kind, doubles, times) * 1e6 / times;
  return known[kind];
}

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double millis = atof(arguments[1]);
  char line[100];
  if (rank > 0) {
    follow();
  } else {
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
      for (int kind = 0; kind < KINDS; kind++) {
        const char *load = strstr(line, names[kind]);
        if (!load) continue;
        int doubles = atoi(load + strlen(names[kind]));
        double each = 0;
        for (int i = strncmp(line, "warm", 4) ? 1 : WARM_UPS; i > 0; i--) each = micros(kind, doubles, millis);
        printf("= %f\n", each);
        fflush(stdout);
      }
    }
    lead(0, 0, 0);
  }
  MPI_Finalize();
  return 0;
}
