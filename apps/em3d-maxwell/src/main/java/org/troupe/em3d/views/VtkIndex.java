package org.troupe.em3d.views;

import java.util.List;
import java.util.SortedMap;
import org.troupe.em3d.physics.FieldKind;

/** The VTK index files that join the pieces of a step, and the steps of a series. */
public final class VtkIndex {

  private static final String HEAD =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"%s\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";

  private VtkIndex() {}

  /**
   * Returns the text of a {@code .pvtu}, which joins the pieces of a step; their names are relative
   * to it.
   */
  public static String ofStep(List<String> pieces) {
    StringBuilder text = new StringBuilder(HEAD.formatted("PUnstructuredGrid", "1.0"));
    text.append(
        """
          <PUnstructuredGrid GhostLevel="0">
            <PPoints>
              <PDataArray type="Float64" Name="Points" NumberOfComponents="3"/>
            </PPoints>
            <PCellData Vectors="E">
              <PDataArray type="Float64" Name="E" NumberOfComponents="3"/>
              <PDataArray type="Float64" Name="H" NumberOfComponents="3"/>
              <PDataArray type="Int32" Name="subdomain" NumberOfComponents="1"/>
            </PCellData>
        """);
    for (String piece : pieces) {
      text.append("    <Piece Source=\"%s\"/>\n".formatted(piece));
    }
    return text.append("  </PUnstructuredGrid>\n</VTKFile>\n").toString();
  }

  /**
   * Returns the text of a {@code .pvd}, which lists the files of all steps relative to it; the
   * times are those of E.
   */
  public static String ofSeries(SortedMap<FieldInstant, String> steps) {
    StringBuilder text = new StringBuilder(HEAD.formatted("Collection", "0.1"));
    text.append("  <Collection>\n");
    steps.forEach(
        (moment, file) ->
            text.append(
                "    <DataSet timestep=\"%s\" part=\"0\" file=\"%s\"/>\n"
                    .formatted(moment.secondsOf(FieldKind.E), file)));
    return text.append("  </Collection>\n</VTKFile>\n").toString();
  }
}
