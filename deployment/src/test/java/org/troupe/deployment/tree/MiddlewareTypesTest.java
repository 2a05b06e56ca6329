package org.troupe.deployment.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.deployment.node.LatencyProbe;
import org.troupe.deployment.node.NodeUpkeep;
import org.troupe.stubs.Reifiable;

/** The active objects of deployment, which no node checks at its start. */
class MiddlewareTypesTest {

  @ParameterizedTest
  @ValueSource(classes = {Branch.class, LatencyProbe.class, NodeUpkeep.class})
  void canHaveStubs(Class<?> type) {
    assertThat(Reifiable.of(type).describe()).isEqualTo(type.getTypeName() + " can have a stub");
  }
}
