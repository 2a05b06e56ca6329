package org.troupe.em3d.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.troupe.em3d.mesh.Meshes;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.views.FieldSlice;
import picocli.CommandLine;

class OutputOptionsTest {

  private static final String SPHERE = Meshes.file("sphere.msh").toString();

  @Test
  void thePageShowsTheMiddleOfAnyMesh() {
    var sphere = MaxwellProblem.mesh(SPHERE, read -> {});

    var usual = CommandLine.populateCommand(new OutputOptions(), "--live").outputSpec(sphere);
    var chosen = CommandLine.populateCommand(new OutputOptions(), "--live", "--slice", "x=0.7:Hy");

    assertThat(usual.live()).isEqualTo(FieldSlice.parse("z=0:Ez"));
    assertThat(chosen.outputSpec(sphere).live()).isEqualTo(FieldSlice.parse("x=0.7:Hy"));
  }

  @Test
  void aSliceMayTouchTheMeshButNotMissIt() {
    var cube = MaxwellProblem.mesh("cube:3", read -> {});
    var wrong = new OptionErrors();

    CommandLine.populateCommand(
            new OutputOptions(), "--slice", "x=0:E", "--slice", "y=1:H", "--slice", "z=-0.1:Ez")
        .check(wrong, cube);

    assertThat(wrong)
        .hasToString(
            "--slice z=-0.1:Ez: the plane does not cut the mesh, which reaches from z=0.000 to 1.000 m");
  }
}
