package org.troupe.deployment.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HiddenValuesTest {

  private static final String SHOWN = "-Ddb.login=(hidden)";

  @ParameterizedTest
  @CsvSource({
    "-Ddb.login=hunter2, -Ddb.login=(hidden)",
    "-Ddb.login, -Ddb.login",
    "-Ddb.login=, -Ddb.login=",
    "-Dtroupe.observe=times, -Dtroupe.observe=times",
    "-Dtroupe.some.token=x, -Dtroupe.some.token=(hidden)",
    "--api-key=x, --api-key=(hidden)",
    "-Xmx1g, -Xmx1g",
    "--add-modules=java.sql, --add-modules=java.sql",
    "jdbc:pg://h/db?user=me&password=x&ssl=on, jdbc:pg://h/db?user=me&password=(hidden)&ssl=on",
    "--store=amqp://me:x@h:5672/v, --store=amqp://me:(hidden)@h:5672/v",
    "http://h:8080/a@b?c=d, http://h:8080/a@b?c=d",
    "=x, =x"
  })
  void anOptionIsShownWithoutItsSecret(String option, String shown) {
    assertThat(HiddenValues.option(option)).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"hunter2", "it's", "a \"b\" c", "back\\slash", "$HOME", "tail!'", "caf\u00e9"})
  void aCommandIsShownWithoutValuesHoweverOftenItIsQuoted(String value) {
    var option = "-Ddb.login=" + value;
    var command = List.of("java", option, "-cp", "lib", "Main");

    var once = ShellLine.of(command);
    var twice = ShellLine.supervised(command, Map.of(), Optional.empty());

    for (var each : List.of(once, twice, ShellLine.quoted(twice))) {
      assertThat(HiddenValues.text(each, List.of(option)))
          .contains(SHOWN)
          .doesNotContain(value)
          .contains("-cp")
          .endsWith(each.substring(each.indexOf("Main")));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "NOTE: Picked up JDK_JAVA_OPTIONS: -Da=hunter2 -Xmx1g, NOTE: Picked up JDK_JAVA_OPTIONS: -Da=(hidden) -Xmx1g",
    "Picked up JAVA_TOOL_OPTIONS: -Da=hunter2, Picked up JAVA_TOOL_OPTIONS: -Da=(hidden)",
    "I picked up -Da=1, I picked up -Da=1"
  })
  void theNoteOfAJvmOnItsOptionsIsShownWithoutTheirValues(String line, String shown) {
    assertThat(HiddenValues.printed(line)).isEqualTo(shown);
  }

  @Test
  void aValueThatContinuesAnotherOneIsHiddenAsAWhole() {
    assertThat(
            HiddenValues.text(
                "java -Ddb.login=abc -Ddb.login=abcd",
                List.of("-Ddb.login=abc", "-Ddb.login=abcd")))
        .isEqualTo("java " + SHOWN + " " + SHOWN);
  }

  @Test
  void variablesThatSoundLikeSecretsAreHiddenInScriptsAndManifests() {
    var variables = List.of("DB_PASSWORD=hunter 2", "LANG=C");

    assertThat(HiddenValues.text("export DB_PASSWORD='hunter 2'\nexport LANG=C", variables))
        .isEqualTo("export DB_PASSWORD='(hidden)'\nexport LANG=C");
    assertThat(
            HiddenValues.text(
                "{\n  \"name\" : \"DB_PASSWORD\",\n  \"value\" : \"hunter 2\"\n}", variables))
        .isEqualTo("{\n  \"name\" : \"DB_PASSWORD\",\n  \"value\" : \"(hidden)\"\n}");
  }

  @ParameterizedTest
  @CsvSource({
    "run Main --password x --size 3, run Main --password (hidden) --size 3",
    "run --api-key --size 3, run --api-key --size 3",
    "-Xmx1g -Dtroupe.observe=times -Ddb.login=x, -Xmx1g -Dtroupe.observe=times -Ddb.login=(hidden)"
  })
  void aLineIsShownWithoutItsSecrets(String line, String shown) {
    assertThat(HiddenValues.line(line)).isEqualTo(shown);
  }

  @Test
  void aValueWithLinesIsHiddenInAManifest() {
    assertThat(
            HiddenValues.text(
                "{\"name\":\"PRIVATE_KEY\",\"value\":\"-- BEGIN --\\nabc\\ndef\\n\"}",
                List.of("PRIVATE_KEY=-- BEGIN --\nabc\ndef\n")))
        .doesNotContain("abc", "def")
        .contains("PRIVATE_KEY", "(hidden)");
  }
}
