package org.troupe.classics.barneshut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withPrecision;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;

@Timeout(120)
class OctreeTest {

  @Test
  void sumsAllBodiesIfNoCellActsAsAWhole() {
    var bodies = CelestialBody.cluster(100);
    var found = new double[3];

    var attracting = tree(bodies, 1e-9).attract(bodies[7].x, bodies[7].y, bodies[7].z, found);

    assertThat(attracting).isEqualTo(100);
    assertThat(found).containsExactly(Octree.directSum(bodies[7], bodies), withPrecision(1e-12));
  }

  @Test
  void treatsBodiesAtOnePositionAsOne() {
    var bodies = CelestialBody.cluster(10);
    for (var each : bodies) {
      each.x = 1;
      each.y = 2;
      each.z = 3;
    }
    var tree = tree(bodies, 0.5);
    var found = new double[3];

    assertThat(tree.attract(1, 2, 3.5, found)).isEqualTo(1);
    assertThat(found[2]).isNegative();
  }

  @Test
  void essentialPartsGiveTheZonesBodiesBitwiseEqualForces() {
    var bodies = CelestialBody.cluster(2000);
    var cube = BoundingCube.around(BoundingCube.bounds(bodies));
    cube.sort(bodies);
    var here = Arrays.copyOfRange(bodies, 0, 700);
    var there = Arrays.copyOfRange(bodies, 700, 2000);
    var all = new double[3];
    var seen = new double[3];

    var essential =
        new Octree(PointMasses.of(there), cube, 0.8)
            .essential(CurveZone.of(here), here[699].key, CurveZone.NOWHERE);
    var partial = new Octree(PointMasses.of(List.of(PointMasses.of(here), essential)), cube, 0.8);
    var whole = new Octree(PointMasses.of(bodies), cube, 0.8);

    assertThat(essential.size()).isLessThan(1000);
    for (var each : here) {
      whole.attract(each.x, each.y, each.z, all);
      partial.attract(each.x, each.y, each.z, seen);
      assertThat(seen).containsExactly(all);
    }
  }

  /** Most zones have one body or none. */
  @Test
  void worksWithFewerBodiesThanZones() {
    try (var nodes = LocalNodes.start(4)) {
      var stars = Group.of(Groups.on(nodes.nodes()).spmd(ZoneBodies.class, 5, 3, 0.5));

      stars.tell(ZoneBodies::prepare).join();
      stars.tell(ZoneBodies::simulate).join();

      assertThat(
              stars.ask(ZoneBodies::bodies).stream().flatMap(Arrays::stream).map(each -> each.id))
          .containsExactlyInAnyOrder(0, 1, 2, 3, 4);
    }
  }

  private static Octree tree(CelestialBody[] bodies, double opening) {
    var cube = BoundingCube.around(BoundingCube.bounds(bodies));
    var sorted = bodies.clone();
    cube.sort(sorted);
    return new Octree(PointMasses.of(sorted), cube, opening);
  }
}
