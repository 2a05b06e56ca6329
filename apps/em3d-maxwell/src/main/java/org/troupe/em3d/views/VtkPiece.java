package org.troupe.em3d.views;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.troupe.em3d.mesh.CellCorners;
import org.troupe.em3d.physics.FieldKind;

/**
 * Writes a sub-domain as a VTK file: an unstructured grid with E and H of its cells in volts and
 * amperes per metre, and the rank of the sub-domain.
 */
public final class VtkPiece {

  /*
   * The format is "XML, appended, raw": a header in XML with the names and offsets of the arrays, then their bytes, each
   * array preceded by its length. VTK File Formats, https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html
   *
   * VTK's filters integrate with the sign of a cell's Jacobian, so all cells are written with positive orientation,
   * whichever orientation they have in the mesh.
   */

  private static final byte TETRAHEDRON = 10; // VTK_TETRA
  private static final int BUFFER = 1 << 16; // a multiple of all element sizes

  private final CellCorners corners;
  private final int rank;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);

  /** Prepares to write the sub-domain of this rank. */
  public VtkPiece(CellCorners corners, int rank) {
    this.corners = corners;
    this.rank = rank;
  }

  /** Builds the header, and computes the offsets of the arrays. */
  private static final class Head {

    private final StringBuilder text = new StringBuilder();
    private long offset;

    Head line(String format, Object... values) {
      text.append(format.formatted(values)).append('\n');
      return this;
    }

    Head array(String type, String name, int components, long bytes) {
      line(
          "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%d\"/>",
          type, name, components, offset);
      offset += Long.BYTES + bytes;
      return this;
    }
  }

  /**
   * Writes the fields of an instant.
   *
   * @param e normalised: {@code e[3 * cell + axis]}
   * @param h likewise
   */
  public void write(OutputStream out, FieldInstant moment, double[] e, double[] h)
      throws IOException {
    buffer.clear(); // an earlier piece may have failed
    out.write(head(moment).getBytes(StandardCharsets.US_ASCII));
    put(out, corners.coordinates(), 1);
    putConnectivity(out);
    putOffsets(out);
    putTypes(out);
    put(out, e, FieldInstant.unitOf(FieldKind.E));
    put(out, h, FieldInstant.unitOf(FieldKind.H));
    putRank(out);
    out.write("\n  </AppendedData>\n</VTKFile>\n".getBytes(StandardCharsets.US_ASCII));
  }

  private String head(FieldInstant moment) {
    long cells = corners.cells();
    return new Head()
        .line("<?xml version=\"1.0\"?>")
        .line(
            "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">")
        .line("  <UnstructuredGrid>")
        .line("    <FieldData>")
        .line(value("TimeValue", moment.secondsOf(FieldKind.E)))
        .line(value("StepOfE", moment.stepOf(FieldKind.E)))
        .line(value("StepOfH", moment.stepOf(FieldKind.H)))
        .line(value("SecondsOfE", moment.secondsOf(FieldKind.E)))
        .line(value("SecondsOfH", moment.secondsOf(FieldKind.H)))
        .line("    </FieldData>")
        .line(
            "    <Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">",
            corners.coordinates().length / 3, cells)
        .line("      <Points>")
        .array("Float64", "Points", 3, (long) Double.BYTES * corners.coordinates().length)
        .line("      </Points>")
        .line("      <Cells>")
        .array("Int32", "connectivity", 1, 4 * Integer.BYTES * cells)
        .array("Int64", "offsets", 1, Long.BYTES * cells)
        .array("UInt8", "types", 1, cells)
        .line("      </Cells>")
        .line("      <CellData Vectors=\"E\">")
        .array("Float64", "E", 3, 3 * Double.BYTES * cells)
        .array("Float64", "H", 3, 3 * Double.BYTES * cells)
        .array("Int32", "subdomain", 1, Integer.BYTES * cells)
        .line("      </CellData>")
        .line("    </Piece>")
        .line("  </UnstructuredGrid>")
        .line("  <AppendedData encoding=\"raw\">")
        .text
        .append("   _") // the raw data start after the underscore
        .toString();
  }

  private static String value(String name, double value) {
    return "      <DataArray type=\"Float64\" Name=\"%s\" NumberOfTuples=\"1\" format=\"ascii\">%s</DataArray>"
        .formatted(name, value);
  }

  private void begin(OutputStream out, long bytes) throws IOException {
    buffer.putLong(bytes);
    flush(out);
  }

  private void room(OutputStream out) throws IOException {
    if (!buffer.hasRemaining()) {
      flush(out);
    }
  }

  private void flush(OutputStream out) throws IOException {
    out.write(buffer.array(), 0, buffer.position());
    buffer.clear();
  }

  private void put(OutputStream out, double[] values, double unit) throws IOException {
    begin(out, (long) Double.BYTES * values.length);
    for (double value : values) {
      buffer.putDouble(value * unit);
      room(out);
    }
    flush(out);
  }

  private void putConnectivity(OutputStream out) throws IOException {
    begin(out, 4L * Integer.BYTES * corners.cells());
    int[] vertices = corners.vertices();
    for (int cell = 0; cell < corners.cells(); cell++) {
      boolean isTurned = corners.signedVolume(cell) < 0;
      buffer.putInt(vertices[4 * cell]);
      buffer.putInt(vertices[4 * cell + 1]);
      buffer.putInt(vertices[4 * cell + (isTurned ? 3 : 2)]);
      buffer.putInt(vertices[4 * cell + (isTurned ? 2 : 3)]);
      room(out);
    }
    flush(out);
  }

  private void putOffsets(OutputStream out) throws IOException {
    begin(out, (long) Long.BYTES * corners.cells());
    for (int cell = 0; cell < corners.cells(); cell++) {
      buffer.putLong(4L * (cell + 1));
      room(out);
    }
    flush(out);
  }

  private void putTypes(OutputStream out) throws IOException {
    begin(out, corners.cells());
    for (int cell = 0; cell < corners.cells(); cell++) {
      buffer.put(TETRAHEDRON);
      room(out);
    }
    flush(out);
  }

  private void putRank(OutputStream out) throws IOException {
    begin(out, (long) Integer.BYTES * corners.cells());
    for (int cell = 0; cell < corners.cells(); cell++) {
      buffer.putInt(rank);
      room(out);
    }
    flush(out);
  }
}
