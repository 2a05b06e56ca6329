package org.troupe.mpj.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The dialect {@code ibis.mpj}, its tests included, is generated from {@code mpi}: names begin with
 * small letters and have no underscores, with the exceptions below. This test compares; {@code mvn
 * test -pl models/mpj -Dtest=DialectTest -Dtroupe.mpj.dialect=write} writes, and {@code mvn
 * spotless:apply} formats.
 */
class DialectTest {

  /** Written by hand, as the dialects differ in more than names. */
  private static final Set<String> BY_HAND =
      Set.of("package-info", "MPIException", "Op", "User_function", "Ranks");

  /** Methods of {@code mpi} whose names do not follow the rule. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("Finalize", "finish"),
          Map.entry("Wait", "Wait"),
          Map.entry("Waitany", "waitAny"),
          Map.entry("Waitall", "waitAll"),
          Map.entry("Waitsome", "waitSome"),
          Map.entry("Testany", "testAny"),
          Map.entry("Testall", "testAll"),
          Map.entry("Testsome", "testSome"),
          Map.entry("Startall", "startAll"));

  private static final Pattern METHOD =
      Pattern.compile("public (?:static |abstract )*[\\w\\[\\]@ ]+? ([A-Z]\\w*)\\(");

  @ParameterizedTest
  @CsvSource({"src/main/java, true", "src/test/java, false"})
  void isGeneratedFromTheOther(String root, boolean isMain) throws IOException {
    var from = Path.of(root, "mpi");
    var into = Path.of(root, "ibis/mpj");
    var names = methodNames();
    List<String> different = new ArrayList<>();
    try (var files = Files.list(from)) {
      for (var each : files.sorted().toList()) {
        var name = each.getFileName().toString().replace(".java", "");
        if (BY_HAND.contains(name)) {
          continue;
        }
        var target = into.resolve((name.equals("MPI") ? "MPJ" : name) + ".java");
        var text = generated(Files.readString(each), name, names, isMain);
        if ("write".equals(System.getProperty("troupe.mpj.dialect"))) {
          Files.writeString(target, text);
        }
        if (!Files.exists(target) || !bare(Files.readString(target)).equals(bare(text))) {
          different.add(target.toString());
        }
      }
    }
    assertThat(different)
        .as("files that differ from what mpi gives; write them by -Dtroupe.mpj.dialect=write")
        .isEmpty();
  }

  /** Returns the text without what a formatter decides. */
  private static String bare(String text) {
    return text.replaceAll("import [^;]*;", "").replaceAll("[\\s*]+", "");
  }

  private static Map<String, String> methodNames() throws IOException {
    Map<String, String> names = new LinkedHashMap<>();
    try (var files = Files.list(Path.of("src/main/java/mpi"))) {
      for (var each : files.sorted().toList()) {
        var found = METHOD.matcher(Files.readString(each));
        while (found.find()) {
          names.put(found.group(1), NAMES.getOrDefault(found.group(1), small(found.group(1))));
        }
      }
    }
    names.keySet().removeAll(Set.of("MPIException", "Op", "Group"));
    return names;
  }

  /** Returns {@code sendrecvReplace} for {@code Sendrecv_replace}. */
  private static String small(String name) {
    var parts = name.split("_");
    var made = new StringBuilder();
    for (var each : parts) {
      made.append(
          made.isEmpty()
              ? each.substring(0, 1).toLowerCase(Locale.ROOT) + each.substring(1)
              : each.substring(0, 1).toUpperCase(Locale.ROOT) + each.substring(1));
    }
    return made.toString();
  }

  private static String generated(
      String text, String type, Map<String, String> names, boolean isMain) {
    var made = text;
    // Datatypes are made by methods of the old type; ranks are translated by the new group.
    for (var each : List.of("Contiguous", "Vector", "Hvector", "Indexed", "Hindexed")) {
      made = lastArgumentFirst(made, "Datatype." + each, names.get(each));
    }
    made = lastArgumentFirst(made, "Group.Translate_ranks", "translateRanks");
    made = made.replaceAll("\\bpublic Group Group\\(", "public Group group(");
    made = made.replace(".Group()", ".group()");
    if (Set.of("Request", "RequestTest", "PointToPointTest").contains(type)) {
      made = made.replace("Is_null(", "isVoid(");
    }
    for (var each : names.entrySet()) {
      made = made.replaceAll("(?<!new )(?<![\\w])" + each.getKey() + "\\(", each.getValue() + "(");
      made = made.replaceAll("::" + each.getKey() + "\\b", "::" + each.getValue());
    }
    made =
        made.replace("package mpi;", "package ibis.mpj;")
            .replace("mpi.MPI", "ibis.mpj.MPI")
            .replaceAll("\\bMPIException\\b", "MPJException")
            .replaceAll("\\bMPI\\b", "MPJ")
            .replace("rank_source", "rankSource")
            .replace("rank_dest", "rankDest");
    return isMain ? ofMain(made, type) : ofTest(made);
  }

  private static String ofMain(String text, String type) {
    var made = text;
    switch (type) {
      case "MPI" ->
          made =
              made.replaceAll("new Op\\(ReductionOperator", "Op.of(ReductionOperator")
                  .replace("public static String[] init(", "public static void init(")
                  .replace("    World.begin();\n    return argv;\n", "    World.begin();\n")
                  .replace(
                      "Begins message passing; returns the program's own arguments.",
                      "Begins message passing.")
                  .replace("    return init(argv);\n", "    init(argv);\n    return argv;\n");
      case "Datatype" ->
          made =
              made.replaceAll(
                      "public static Datatype (contiguous|vector|hvector|indexed|hindexed)\\(",
                      "public Datatype $1(")
                  .replaceAll(",\\s*Datatype oldtype\\)", ")")
                  .replace("given(oldtype)", "given(this)")
                  .replaceAll("(?s)  /\\*\\* Frees the type\\. \\*/.*?\\n  }\\n", "");
      case "Group" ->
          made =
              made.replaceAll(
                      "public static int\\[\\] translateRanks\\(Group group1, int\\[\\] ranks1, Group group2\\)",
                      "public int[] translateRanks(Group group1, int[] ranks1)")
                  .replace("translate(ranks1, core(group2))", "translate(ranks1, core(this))")
                  .replace(
                      "Returns the ranks in the second group of ranks of the first.",
                      "Returns the ranks in this group of ranks of another.")
                  .replaceAll("(?s)  /\\*\\* Frees the group\\. \\*/.*?\\n  }\\n", "");
      case "Request" ->
          made =
              made.replaceAll(
                  "(?s)  /\\*\\* Forgets the operation, which[^/]*\\*/\\s*public void free\\(\\) throws"
                      + " MPJException \\{\\s*core.free\\(\\);\\s*}\\n",
                  "");
      case "Comm" ->
          made =
              made.replace("public Object clone() throws MPJException {", "public Object clone() {")
                  .replace(
                      "  /** Unpacks items behind a position;",
                      """
                        /** Returns packed items. */
                        public byte[] pack(Object inbuf, int offset, int incount, Datatype datatype)
                            throws MPJException {
                          byte[] packed = new byte[packSize(incount, datatype)];
                          pack(inbuf, offset, incount, datatype, packed, 0);
                          return packed;
                        }

                        /** Unpacks items behind a position;""");
      default -> {}
    }
    return made;
  }

  private static String ofTest(String text) {
    return text.replaceAll(
            "(?m)^(  (?:private static .*|void \\w+\\().*\\)) \\{$", "$1 throws MPJException {")
        .replaceAll(
            "(?m)^(      [^\\n]*(?:call|type\\)|ThrowingCallable call)\\)) \\{$",
            "$1 throws MPJException {")
        .replaceAll("throws Exception throws MPJException", "throws Exception, MPJException")
        .replace("throws Exception {", "throws Exception, MPJException {")
        .replace(
            "extends User_function {",
            "extends Op {\n    Append() throws MPJException {\n      super(false);\n    }\n")
        .replace("public void call(", "public void call(")
        .replace("new Op(new Append(), false)", "new Append()")
        .replaceAll(
            "(?s)new Op\\(\\s*new User_function\\(\\) \\{(.*?)\\n {18}},\\s*true\\);",
            "new Op(true) {$1\n };");
  }

  /** Turns {@code f(a, b, c)} into {@code c.g(a, b)}. */
  private static String lastArgumentFirst(String text, String call, String name) {
    var made = new StringBuilder();
    var at = 0;
    for (var found = text.indexOf(call + "(", at);
        found >= 0;
        found = text.indexOf(call + "(", at)) {
      made.append(text, at, found);
      var depth = 0;
      var comma = -1;
      var end = found + call.length();
      for (; ; end++) {
        var letter = text.charAt(end);
        if (letter == '(' || letter == '{') {
          depth++;
        } else if (letter == ')' || letter == '}') {
          depth--;
          if (depth == 0) {
            break;
          }
        } else if (letter == ',' && depth == 1) {
          comma = end;
        }
      }
      var last = lastArgumentFirst(text.substring(comma + 1, end).strip(), call, name);
      made.append(last)
          .append('.')
          .append(name)
          .append(text, found + call.length(), comma)
          .append(')');
      at = end + 1;
    }
    return made.append(text.substring(at)).toString();
  }
}
