package org.troupe.em3d;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/**
 * Reads pieces of VTK as strictly as their own reader does, for tests: a grid with all its data.
 */
public record VtkFile(List<Piece> pieces) {

  /** One file. */
  record Piece(Document head, ByteBuffer data) {

    private Element array(String name) {
      var arrays = head.getElementsByTagName("DataArray");
      for (var k = 0; k < arrays.getLength(); k++) {
        if (((Element) arrays.item(k)).getAttribute("Name").equals(name)) {
          return (Element) arrays.item(k);
        }
      }
      throw new AssertionError("there is no array " + name);
    }

    private long count(String what) {
      var piece = (Element) head.getElementsByTagName("Piece").item(0);
      return Long.parseLong(piece.getAttribute(what));
    }

    DoubleBuffer points() {
      return bytes("Points", "Float64", 24 * count("NumberOfPoints")).asDoubleBuffer();
    }

    IntBuffer corners() {
      return bytes("connectivity", "Int32", 16 * count("NumberOfCells")).asIntBuffer();
    }

    /** The bytes of an array, which are as many as its type and the number of cells say. */
    ByteBuffer bytes(String name, String type, long length) {
      var array = array(name);
      require(array.getAttribute("type").equals(type), name + " is " + array.getAttribute("type"));
      var offset = Integer.parseInt(array.getAttribute("offset"));
      require(data.getLong(offset) == length, name + " has " + data.getLong(offset) + " bytes");
      return data.slice(offset + Long.BYTES, (int) length).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  public static VtkFile of(Path folder, List<String> files) throws IOException {
    return new VtkFile(files.stream().map(file -> read(folder.resolve(file))).toList());
  }

  private static Piece read(Path file) {
    try {
      var bytes = Files.readAllBytes(file);
      var text = new String(bytes, StandardCharsets.ISO_8859_1);
      var begin = text.indexOf('_', text.indexOf("<AppendedData encoding=\"raw\">")) + 1;
      var end = text.lastIndexOf("\n  </AppendedData>");
      require(begin > 0 && end > begin, file + " has no data");
      var head =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(
                  new InputSource(
                      new StringReader(text.substring(0, begin) + text.substring(end))));
      var piece =
          new Piece(
              head,
              ByteBuffer.wrap(bytes, begin, end - begin).slice().order(ByteOrder.LITTLE_ENDIAN));
      check(piece);
      return piece;
    } catch (Exception e) {
      throw new AssertionError(file + ": " + e, e);
    }
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }

  private static void check(Piece piece) {
    var cells = piece.count("NumberOfCells");
    var points = piece.count("NumberOfPoints");
    var corners = piece.corners();
    var offsets = piece.bytes("offsets", "Int64", 8 * cells).asLongBuffer();
    var types = piece.bytes("types", "UInt8", cells);
    for (var cell = 0; cell < cells; cell++) {
      require(types.get(cell) == 10, "cell " + cell + " is no tetrahedron");
      require(offsets.get(cell) == 4L * (cell + 1), "cell " + cell + " has other corners");
      for (var k = 0; k < 4; k++) {
        var corner = corners.get(4 * cell + k);
        require(corner >= 0 && corner < points, "corner " + corner + " of cell " + cell);
      }
    }
    var places = piece.points();
    for (var cell = 0; cell < cells; cell++) {
      require(signedVolume(places, corners, cell) > 0, "cell " + cell + " is inside out");
    }
    var ranks = piece.bytes("subdomain", "Int32", 4 * cells);
    require(
        ranks.position() + 4 * cells + 8 + offset(piece, "subdomain") == piece.data.capacity(),
        "something lies behind the arrays");
  }

  /** The determinant of the edges from the first corner, over 6, as VTK defines a tetrahedron. */
  private static double signedVolume(DoubleBuffer points, IntBuffer corners, int cell) {
    var x = new double[4][3];
    for (var k = 0; k < 12; k++) {
      x[k / 3][k % 3] = points.get(3 * corners.get(4 * cell + k / 3) + k % 3);
    }
    var volume = 0.0;
    for (var axis = 0; axis < 3; axis++) {
      var next = (axis + 1) % 3;
      var last = (axis + 2) % 3;
      volume +=
          (x[3][axis] - x[0][axis])
              * ((x[1][next] - x[0][next]) * (x[2][last] - x[0][last])
                  - (x[1][last] - x[0][last]) * (x[2][next] - x[0][next]));
    }
    return volume / 6;
  }

  /** The sum of the signed volumes of all cells, cubic metres. */
  public double volume() {
    return integral((piece, cell) -> 1);
  }

  /** The integral of a field squared over all cells. */
  public double integralOfSquare(String field) {
    return integral(
        (piece, cell) -> {
          var values = piece.bytes(field, "Float64", 24 * piece.count("NumberOfCells"));
          var sum = 0.0;
          for (var axis = 0; axis < 3; axis++) {
            var value = values.asDoubleBuffer().get(3 * cell + axis);
            sum += value * value;
          }
          return sum;
        });
  }

  private double integral(ToDoubleBiFunction<Piece, Integer> ofCell) {
    var sum = 0.0;
    for (var piece : pieces) {
      var points = piece.points();
      var corners = piece.corners();
      for (var cell = 0; cell < piece.count("NumberOfCells"); cell++) {
        sum += signedVolume(points, corners, cell) * ofCell.applyAsDouble(piece, cell);
      }
    }
    return sum;
  }

  private static int offset(Piece piece, String name) {
    return Integer.parseInt(piece.array(name).getAttribute("offset"));
  }

  public long cells() {
    return pieces.stream().mapToLong(each -> each.count("NumberOfCells")).sum();
  }

  /** A single value of the field data. */
  public double number(String name) {
    return Double.parseDouble(pieces.getFirst().array(name).getTextContent());
  }

  /** The vectors of a field by the corners of their cells. */
  public Map<List<Double>, List<Double>> vectorsByPlace(String field) {
    Map<List<Double>, List<Double>> vectors = new HashMap<>();
    for (var piece : pieces) {
      var cells = (int) piece.count("NumberOfCells");
      var points = piece.points();
      var corners = piece.corners();
      var values = piece.bytes(field, "Float64", 24L * cells).asDoubleBuffer();
      for (var cell = 0; cell < cells; cell++) {
        var place = new Double[12];
        var vector = new Double[3];
        Arrays.setAll(vector, axis -> 0.0);
        for (var k = 0; k < 12; k++) {
          place[k] = points.get(3 * corners.get(4 * cell + k / 3) + k % 3);
        }
        for (var axis = 0; axis < 3; axis++) {
          vector[axis] = values.get(3 * cell + axis);
        }
        vectors.put(List.of(place), List.of(vector));
      }
    }
    return vectors;
  }
}
