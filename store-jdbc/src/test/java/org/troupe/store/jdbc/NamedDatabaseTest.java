package org.troupe.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names of databases in messages. */
class NamedDatabaseTest {

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://host/runs?user=u&password=p, jdbc:postgresql://host/runs",
    "jdbc:h2:mem:runs;USER=u;PASSWORD=p, jdbc:h2:mem:runs",
    "jdbc:mysql://u:p@host:3306/runs, jdbc:mysql://host:3306/runs",
    "jdbc:oracle:thin:u/p@host:1521:runs, jdbc:oracle:thin:host:1521:runs",
  })
  void containNoPassword(String url, String shown) {
    assertThat(Transactions.withoutSecrets(url)).isEqualTo(shown);
  }
}
