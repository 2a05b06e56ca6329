package org.troupe.activeobjects.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.internal.service.NodeService;
import org.troupe.stubs.Reifiable;

/** Types of the middleware, which no node checks at its start. */
class ActiveTypeTest {

  @ParameterizedTest
  @ValueSource(classes = {NodeService.class, BodyCalls.class})
  void canHaveStubs(Class<?> type) {
    assertThat(Reifiable.of(type).describe()).isEqualTo(type.getTypeName() + " can have a stub");
  }
}
