package org.troupe.activeobjects.hosting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TroupePropertiesTest {

  @ParameterizedTest
  @CsvSource({
    "troupe.strict, maybe, write true or false",
    "troupe.callSites, 1, write true or false",
    "troupe.groups.patience, x, write a whole number from 1 on",
    "troupe.groups.patience, 0, write a whole number from 1 on",
    "troupe.report, always, write failure or never"
  })
  void refusesAValueOfAnotherForm(String name, String value, String permitted) {
    assertThat(TroupeProperties.problems(of(Map.of(name, value))))
        .containsExactly("%s is '%s'; %s".formatted(name, value, permitted));
  }

  @Test
  void namesAllWrongValues() {
    var properties = of(Map.of("troupe.strict", "yes", "troupe.dashboard", "on"));

    assertThat(TroupeProperties.problems(properties))
        .containsExactly(
            "troupe.dashboard is 'on'; write true or false",
            "troupe.strict is 'yes'; write true or false");
  }

  @Test
  void acceptsWhatTheirReadersUnderstand() {
    var properties =
        of(
            Map.of(
                "troupe.strict", "TRUE",
                "troupe.groups.patience", "30",
                "troupe.report", "never",
                "troupe.links", "tcp"));

    assertThat(TroupeProperties.problems(properties)).isEmpty();
    assertThat(TroupeProperties.unknown(properties)).isEmpty();
  }

  @Test
  void findsNamesThatNothingReads() {
    var properties =
        of(Map.of("troupe.strct", "true", "troupe.run", "4711", "user.name", "me", "troupe", "x"));

    assertThat(TroupeProperties.unknown(properties)).containsExactly("troupe.strct");
  }

  private static Properties of(Map<String, String> values) {
    var properties = new Properties();
    properties.putAll(values);
    return properties;
  }
}
