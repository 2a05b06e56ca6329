/* A DRMAA 1 library without a batch system: it runs each job at once, and remembers the last. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { SUCCESS = 0, NO_ACTIVE_SESSION = 5, ALREADY_ACTIVE = 11, DENIED = 17, INVALID_JOB = 18 };

typedef struct { char command[1024], arguments[1024], native[1024]; } template;

static int active, last, status;

static int fail(int code, const char *text, char *diagnosis, size_t length) {
  snprintf(diagnosis, length, "%s", text);
  return code;
}

int drmaa_init(const char *contact, char *d, size_t n) {
  if (active) return fail(ALREADY_ACTIVE, "Already an active session", d, n);
  active = 1;
  return contact == NULL ? SUCCESS : fail(7, "this has no contacts", d, n);
}

int drmaa_exit(char *d, size_t n) {
  if (!active) return fail(NO_ACTIVE_SESSION, "No active session", d, n);
  active = 0;
  return SUCCESS;
}

int drmaa_get_DRM_system(char *text, size_t length, char *d, size_t n) {
  snprintf(text, length, "stub");
  return SUCCESS;
}

int drmaa_version(unsigned *major, unsigned *minor, char *d, size_t n) {
  *major = 1;
  *minor = 0;
  return SUCCESS;
}

int drmaa_allocate_job_template(template **jt, char *d, size_t n) {
  *jt = calloc(1, sizeof(template));
  return SUCCESS;
}

int drmaa_delete_job_template(template *jt, char *d, size_t n) {
  free(jt);
  return SUCCESS;
}

int drmaa_set_attribute(template *jt, const char *name, const char *value, char *d, size_t n) {
  if (!strcmp(name, "drmaa_remote_command")) snprintf(jt->command, 1024, "%s", value);
  if (!strcmp(name, "drmaa_native_specification")) snprintf(jt->native, 1024, "%s", value);
  return SUCCESS;
}

int drmaa_set_vector_attribute(
    template *jt, const char *name, const char *values[], char *d, size_t n) {
  if (strcmp(name, "drmaa_v_argv")) return SUCCESS;
  for (; *values; values++) {
    strcat(jt->arguments, " '");
    strcat(jt->arguments, *values);
    strcat(jt->arguments, "'");
  }
  return SUCCESS;
}

int drmaa_run_job(char *id, size_t length, const template *jt, char *d, size_t n) {
  char line[2100];
  if (strstr(jt->native, "nope")) return fail(DENIED, "no such queue: nope", d, n);
  snprintf(line, sizeof line, "exec %s%s", jt->command, jt->arguments);
  status = system(line);
  snprintf(id, length, "%d", ++last);
  return SUCCESS;
}

int drmaa_control(const char *id, int action, char *d, size_t n) {
  return atoi(id) == last ? SUCCESS : fail(INVALID_JOB, "no such job", d, n);
}

int drmaa_job_ps(const char *id, int *ps, char *d, size_t n) {
  if (atoi(id) != last) return fail(INVALID_JOB, "no such job", d, n);
  *ps = status == 0 ? 0x30 : 0x40;
  return SUCCESS;
}

int drmaa_wait(
    const char *id, char *out, size_t length, int *stat, signed long timeout, void **usage, char *d,
    size_t n) {
  if (atoi(id) != last) return fail(INVALID_JOB, "no such job", d, n);
  if (timeout != 0 && timeout != 1) return fail(4, "nobody waits so long", d, n);
  snprintf(out, length, "%s", id);
  *stat = status;
  return SUCCESS;
}

int drmaa_wifaborted(int *value, int stat, char *d, size_t n) {
  *value = 0;
  return SUCCESS;
}

int drmaa_wifexited(int *value, int stat, char *d, size_t n) {
  *value = WIFEXITED(stat);
  return SUCCESS;
}

int drmaa_wexitstatus(int *value, int stat, char *d, size_t n) {
  *value = WEXITSTATUS(stat);
  return SUCCESS;
}

int drmaa_wifsignaled(int *value, int stat, char *d, size_t n) {
  *value = WIFSIGNALED(stat);
  return SUCCESS;
}

int drmaa_wtermsig(char *name, size_t length, int stat, char *d, size_t n) {
  snprintf(name, length, "SIG%d", WTERMSIG(stat));
  return SUCCESS;
}
