package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code ./troupe} on a machine without a JDK. The copied launcher needs a version that no machine
 * has, and a folder stands for the place from which a JDK of that version is fetched.
 */
class FetchedJdkIT {

  private static final Path CHECKOUT = Modules.checkout();
  private static final String FUNCTIONS = "cli/src/main/launcher/lib/launcher.sh";
  private static final String ARCHIVE = "OpenJDK999_9.tar.gz";
  private static final String DISTRIBUTION = "cli/target/troupe";

  @TempDir private Path temporary;

  private Path checkout;
  private Path home;
  private Path mirror;
  private int exitCode;
  private String out;
  private String err;

  @BeforeEach
  void makeCheckoutAndMirror() throws Exception {
    checkout = Files.createDirectory(temporary.resolve("a checkout"));
    home = Files.createDirectory(temporary.resolve("home"));
    mirror = Files.createDirectory(temporary.resolve("a mirror"));
    copy("troupe");
    copy(FUNCTIONS);
    Path functions = checkout.resolve(FUNCTIONS);
    Files.writeString(
        functions, Files.readString(functions).replace("java_needed=25", "java_needed=999"));
    Files.createDirectories(checkout.resolve("cli/target"));
    Files.createSymbolicLink(checkout.resolve(DISTRIBUTION), CHECKOUT.resolve(DISTRIBUTION));

    Path jdk = Files.createDirectories(temporary.resolve("made/jdk-999.0.1+2"));
    Files.createDirectory(jdk.resolve("bin"));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"999.0.1\"\n");
    for (String program : List.of("java", "javac")) {
      Path script = jdk.resolve("bin").resolve(program);
      String real = System.getProperty("java.home") + "/bin/" + program;
      Files.writeString(script, "#!/bin/sh\nexec '" + real + "' \"$@\"\n");
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    run("tar", "-czf", mirror.resolve(ARCHIVE).toString(), "-C", temporary + "/made", ".");
    name(sha256(mirror.resolve(ARCHIVE)));
  }

  /** Deletes the link, which leads out of the temporary folder, of which JUnit would warn. */
  @AfterEach
  void deleteSymbolicLink() throws IOException {
    Files.delete(checkout.resolve(DISTRIBUTION));
  }

  private void copy(String file) throws IOException {
    Files.createDirectories(checkout.resolve(file).getParent());
    Files.copy(CHECKOUT.resolve(file), checkout.resolve(file));
  }

  /** Writes which JDK can be fetched, from a place that cannot be reached. */
  private void name(String sum) throws Exception {
    run("uname", "-s");
    String system = out.strip();
    run("uname", "-m");
    Files.createDirectories(checkout.resolve(".mvn"));
    Files.writeString(
        checkout.resolve(".mvn/jdk.txt"),
        "Plan9-mips 00 https://127.0.0.1:1/other.tar.gz\n"
            + "%s-%s %s https://127.0.0.1:1/jdk/%s\n".formatted(system, out.strip(), sum, ARCHIVE));
  }

  private static String sha256(Path file) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }

  @Test
  void isFetchedOnceAfterSayingSo() throws Exception {
    troupe(mirror.toString());

    assertThat(err)
        .startsWith(
            "there is no JDK 999 here: fetching %s from %s into %s/.cache/troupe"
                .formatted(ARCHIVE, mirror, home));
    assertThat(out).startsWith("troupe ");
    assertThat(exitCode).isZero();
    assertThat(cached()).containsExactly("jdk-OpenJDK999_9");

    troupe("/nowhere");
    assertThat(err).isEmpty();
    assertThat(out).startsWith("troupe ");
  }

  @Test
  void comesFromAUrl() throws Exception {
    troupe(mirror.toUri().toString().replaceAll("/$", ""));

    assertThat(out).startsWith("troupe ");
    assertThat(exitCode).isZero();
  }

  @Test
  void leavesNothingBehindWithoutANetwork() throws Exception {
    troupe("");

    assertThat(err)
        .contains("fetching " + ARCHIVE + " from https://127.0.0.1:1/jdk into ")
        .contains("troupe: there is no JDK 999 or newer in JAVA_HOME ('not set')")
        .contains("'https://127.0.0.1:1/jdk/" + ARCHIVE + "' could not be fetched (")
        .contains("set TROUPE_JDK_MIRROR to a URL or a folder with that file");
    assertThat(exitCode).isEqualTo(127);
    assertThat(cached()).isEmpty();
  }

  @Test
  void isRefusedIfItIsAnotherFile() throws Exception {
    name("00".repeat(32));

    troupe(mirror.toString());

    assertThat(err)
        .contains("is another file: its SHA-256 is " + sha256(mirror.resolve(ARCHIVE)))
        .contains("instead of 0000");
    assertThat(exitCode).isEqualTo(127);
    assertThat(cached()).isEmpty();
  }

  @Test
  void isRefusedIfItIsNoArchive() throws Exception {
    Files.writeString(mirror.resolve(ARCHIVE), "not found");
    name(sha256(mirror.resolve(ARCHIVE)));

    troupe(mirror.toString());

    assertThat(err).contains("'" + ARCHIVE + "' could not be unpacked");
    assertThat(exitCode).isEqualTo(127);
    assertThat(cached()).isEmpty();
  }

  private List<String> cached() throws IOException {
    try (Stream<Path> files = Files.list(home.resolve(".cache/troupe"))) {
      return files.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  private void troupe(String source) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(checkout.resolve("troupe").toString(), "--version");
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/bin:/bin");
    builder.environment().put("HOME", home.toString());
    builder.environment().put("TROUPE_JDK_MIRROR", source);
    run(builder);
  }

  private void run(String... command) throws Exception {
    run(new ProcessBuilder(command));
    assertThat(exitCode).as(err).isZero();
  }

  private void run(ProcessBuilder builder) throws Exception {
    Process process = builder.redirectError(temporary.resolve("err").toFile()).start();
    process.getOutputStream().close();
    out = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("has ended").isTrue();
    exitCode = process.exitValue();
    err = Files.readString(temporary.resolve("err"));
  }
}
