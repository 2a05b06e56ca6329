package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTest {

  private static final String GOOD =
      """
      <troupe xmlns="urn:troupe:descriptor:1">
        <variables><variable name="jvms" default="2"/></variables>
        <virtualNodes><virtualNode name="solvers"/></virtualNodes>
        <mapping><map virtualNode="solvers" to="here"/></mapping>
        <infrastructure><local id="here" jvms="${jvms}"/></infrastructure>
      </troupe>
      """;

  private static final String PROGRAMS = Programs.class.getName() + ".";

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void forgetWhatRanBefore() {
    Programs.arguments = null;
  }

  // Verbs and options

  @Test
  void summarizesEachVerbByASentenceOnALine() {
    assertThat(run("--help")).isZero();
    var verbs = out.toString().lines().dropWhile(line -> !line.equals("Verbs:")).skip(1).toList();
    assertThat(verbs.stream().takeWhile(line -> !line.isEmpty()))
        .hasSizeGreaterThan(20)
        .allMatch(line -> line.matches(" {2}[a-z-]+ +[A-Z][^.]+\\."));
  }

  @Test
  void asksForTheWordAfterAct() {
    assertThat(run("act")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(
            "troupe act: the word after 'act' is missing; choose from 'release', 'request',"
                + " 'collect', 'log-level', 'heap-dump', 'press'");
  }

  @Test
  void refusesATimeThatNoLogLevelLasts() {
    assertThat(run("act", "log-level", "DEBUG", "--for", "PT25H")).isEqualTo(2);
    assertThat(err.toString()).contains("--for PT25H is no duration of a second to a day");
  }

  @Test
  void refusesTwoEndsOfTop() {
    assertThat(run("top", "--once", "--rounds", "3")).isEqualTo(2);
    assertThat(err.toString()).contains("--once and --rounds both say when to end");
  }

  @ParameterizedTest
  @ValueSource(strings = {"top", "record", "status", "observe", "act", "convert"})
  void beginsTheHelpOfAVerbWithItsSummary(String verb) {
    assertThat(run(verb, "--help")).isZero();
    assertThat(out.toString()).containsPattern("\\n[A-Z][^.\\n]+\\.\\n\\n[A-Z]");
  }

  @Test
  void textsCannotControlTheTerminal() {
    assertThat(run("explain", "a\u001b]0;x\u0007\u001b[31mb")).isNotZero();
    assertThat(err.toString() + out)
        .contains("?]0;x?\u001b[31mb")
        .doesNotContain("\u001b]", "\u0007");
  }

  @Test
  void asksForTheVerb() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).startsWith("troupe: the verb is missing; choose from 'run',");
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "vaildate, validate",
    "rum, run",
    "Schema, schema",
    "explan, explain",
    "benhc, bench"
  })
  void guessesTheVerb(String written, String meant) {
    assertThat(run(written)).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            "troupe: there is no verb '%s'; did you mean '%s'?; see 'troupe --help'\n"
                .formatted(written, meant));
  }

  @Test
  void listsTheVerbsWhereItCannotGuess() {
    assertThat(run("frobnicate")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "choose from 'run', 'validate', 'plan', ", "'schema', 'convert', ", "'completion'");
  }

  @Test
  void printsItsHelp() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString())
        .contains("validate", "Exit codes:", "2          the command line or the descriptor");
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run",
        "validate",
        "plan",
        "ps",
        "clean",
        "deploy",
        "explain",
        "schema",
        "convert",
        "completion"
      })
  void printsTheHelpOfAVerb(String verb) {
    assertThat(run(verb, "--help")).isZero();
    assertThat(out.toString()).startsWith("Usage: troupe " + verb).contains("--verbose");
  }

  @Test
  void aVerbThatDoesNotExistHasNoHelp() {
    assertThat(run("nosuch", "--help")).isEqualTo(2);
    assertThat(run("--help", "nosuch")).isEqualTo(2);
    assertThat(err.toString()).startsWith("troupe: there is no verb 'nosuch'; choose from 'run',");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void printsItsVersion() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).startsWith("troupe 0.").contains("Java " + Runtime.version());
  }

  @Test
  void guessesTheOption() {
    assertThat(run("validate", "--verbos", "grid.xml")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(
            "troupe validate: there is no option '--verbos'; did you mean '--verbose'?;"
                + " see 'troupe validate --help'");
  }

  @Test
  void refusesMoreThanItAskedFor() {
    assertThat(run("schema", "please")).isEqualTo(2);
    assertThat(err.toString()).startsWith("troupe schema: 'please' is one argument too many;");
  }

  @ParameterizedTest
  @ValueSource(strings = {"stack node", "logs node", "observe times"})
  void namesTheOptionThatTakesAnId(String line) {
    var words = (line + " 4711").split(" ");
    assertThat(run(words)).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(
            "troupe %s: '4711' is one argument too many; to choose a deployment by its id, write '--of 4711';"
                .formatted(words[0]));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"status", "top", "record", "objects", "cancel", "report", "dashboard --port 0"})
  void aRunIsNamedByAnOptionOrAnArgument(String verb) {
    for (var id : List.of("4711", "--of 4711", "4711 --of 4711")) {
      assertThat(run((verb + " " + id).split(" "))).isEqualTo(2);
      assertThat(err.toString()).contains(": there is no deployment '4711'; ");
      err.getBuffer().setLength(0);
    }
    assertThat(run((verb + " 4711 --of 4712").split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(": '--of 4712' and '4711' name two runs; give one; ");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      textBlock =
          """
          observe loud, "there is no tier of observation 'loud'; choose from off, counts, times, trace"
          act log-level LOUD, "there is no log level 'LOUD'; choose from ALL, TRACE, "
          top --json --rows foo, "there are no rows of the kind 'foo'; choose from nodes, "
          act request -3, "-3 is no number of nodes to request; ask for 1 to 1000"
          record --jfr PT1S --settings foo, "there are no settings 'foo'; choose from default, profile"
          record -o r.xyz, "-o: the name 'r.xyz' does not end as that of a trace; end it with .pftrace or .json or .csv, or add --format"
          record --jfr PT1S -o r.pftrace, "-o: the name 'r.pftrace' does not end as that of a file of recordings of JVMs; end it with .zip or .folded, or add --format"
          record --format csv -o r.json, "--format csv contradicts the name 'r.json', which ends as that of the format chrome; change one of them"
          dashboard --metrics, the value FILE of --metrics is missing
          dashboard --metrics /nonexistent/f, "(its folder does not exist)"
          """)
  void aWrongWordIsNamedWithoutARun(String line, String mistake) {
    assertThat(run(line.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(mistake);
    assertThat(err.toString().lines()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"dashboard, --run, RUN", "report, --pid, RUN", "clean, --id, ID"})
  void namesTheArgumentThatIsAnId(String verb, String option, String argument) {
    assertThat(run(verb, option, "4711")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(
            "troupe %1$s: there is no option '%2$s'; here the id is the argument %3$s: write 'troupe %1$s %3$s';"
                .formatted(verb, option, argument));
  }

  @ParameterizedTest
  @CsvSource({"validate, FILE", "plan, FILE", "explain, CLASS"})
  void saysWhatIsMissing(String verb, String missing) {
    assertThat(run(verb)).isEqualTo(2);
    assertThat(err.toString()).startsWith("troupe " + verb + ": " + missing + " is missing; see");
  }

  @Test
  void anOptionThatDoesNotExistExplainsMoreThanWhatIsMissing() {
    assertThat(run("doctor", "--outptu=json")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("troupe doctor: there is no option '--outptu'; did you mean '--output'?; see");
  }

  // validate, plan, deploy

  @Test
  void validatesADescriptor() throws IOException {
    assertThat(run("validate", descriptor(GOOD))).isZero();
    assertThat(out.toString())
        .isEqualToNormalizingNewlines(
            folder.resolve("grid.xml") + " is valid: 1 virtual node on 1 infrastructure\n");
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"validate", "plan"})
  void printsEveryProblemOfADescriptor(String verb) throws IOException {
    String file =
        descriptor(GOOD.replace("to=\"here\"", "to=\"hare\"").replace("<local", "<locale"));

    assertThat(run(verb, file)).isEqualTo(2);
    assertThat(err.toString()).contains("grid.xml:4:", "'hare'", "grid.xml:5:", "'locale'");
    assertThat(err.toString()).doesNotContain("\tat ");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void saysThatThereIsNoSuchFile() {
    assertThat(run("validate", "nowhere.xml")).isEqualTo(2);
    assertThat(err.toString()).startsWith("nowhere.xml: does not exist;");
  }

  @Test
  void printsTheTraceWhenAskedTo() {
    assertThat(run("--verbose", "validate", "nowhere.xml")).isEqualTo(2);
    assertThat(err.toString()).contains("DescriptorException: nowhere.xml", "\tat org.troupe.");
  }

  @Test
  void printsWarnings() throws IOException {
    assertThat(run("validate", descriptor(GOOD.replace("${jvms}", "3")))).isZero();
    assertThat(err.toString()).startsWith("warning: ").contains("grid.xml:2:", "'jvms'");
  }

  @Test
  void takesVariablesFromTheCommandLine() throws IOException {
    assertThat(run("validate", descriptor(GOOD), "-D", "jvms=none")).isEqualTo(2);
    assertThat(err.toString()).contains("'none'");
  }

  @Test
  void refusesAVariableWithoutValue() {
    assertThat(run("validate", "-D", "jvms", "grid.xml")).isEqualTo(2);
    assertThat(err.toString()).contains("'-D jvms' gives no value; write -D name=value");
    assertThat(run("validate", "-D", "=3", "grid.xml")).isEqualTo(2);
    assertThat(err.toString()).contains("'-D =3' gives no name; write -D name=value");
  }

  @Test
  void refusesAVariableGivenTwice() {
    assertThat(run("plan", "-D", "jvms=1", "-Djvms=2", "grid.xml")).isEqualTo(2);
    assertThat(err.toString()).contains("variable 'jvms' is given twice; give it once");
  }

  @Test
  void plansWithoutStartingAnything() throws IOException {
    assertThat(run("plan", descriptor(GOOD), "-Djvms=3")).isZero();
    assertThat(out.toString())
        .startsWith("jvms = '3' (command line)")
        .containsPattern("(?s)solvers.*solvers.*solvers")
        .contains("java");
  }

  @Test
  void saysWhatADeploymentWouldMiss() throws IOException {
    String file = descriptor(GOOD.replace("<local", "<local workingDirectory=\"/no/such/folder\""));

    assertThat(run("plan", file)).isEqualTo(3);
    assertThat(err.toString()).contains("/no/such/folder");
  }

  @Test
  void triesADescriptor() throws IOException {
    assertThat(run("deploy", descriptor(GOOD), "-Djvms=2")).isZero();

    assertThat(out.toString())
        .containsPattern("(?m)^here-1 +localhost +here +joined ")
        .containsPattern("(?m)^here-2 +localhost +here +joined ")
        .containsPattern("all 2 nodes were there after [0-9.]+ s");
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  @Test
  void aDescriptorThatDoesNotWorkIsTriedInVain() throws IOException {
    String file =
        descriptor(
            GOOD.replace(
                "<local", "<jvm id=\"j\"><option>-Xnonsense</option></jvm><local jvm=\"j\""));

    assertThat(run("deploy", file)).isEqualTo(3);

    assertThat(err.toString()).contains("-Xnonsense", "grid.xml:").doesNotContain("\tat ");
    assertThat(out.toString()).isEmpty();
  }

  // explain, schema, completion

  @Test
  void explainsAClass() {
    assertThat(run("explain", "java.util.List")).isZero();
    assertThat(out.toString()).contains("void clear()", "int size()");
  }

  @Test
  void saysWhyAClassIsUnsuitable() {
    assertThat(run("explain", "java.lang.String")).isZero();
    assertThat(out.toString()).contains("java.lang.String", "final");
  }

  @Test
  void explainsReadsAndWritesOfAReplicatedClass() {
    assertThat(run("explain", "--replica", "java.util.List")).isZero();
    assertThat(out.toString())
        .containsPattern("clear\\(\\) +write")
        .doesNotContain("waits for the answer");
  }

  @Test
  void saysWhyAClassCannotBeReplicated() {
    assertThat(run("explain", "--replica", "java.lang.String")).isZero();
    assertThat(out.toString()).contains("java.lang.String", "final");
  }

  @Test
  void findsANestedClassByItsNameInTheSource() {
    assertThat(run("explain", "java.util.Map.Entry")).isZero();
    assertThat(out.toString()).contains("getKey()");
  }

  @Test
  void saysThatThereIsNoSuchClass() {
    assertThat(run("explain", "com.example.Nothing")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("troupe explain: there is no class 'com.example.Nothing' on the class path;")
        .contains("--class-path");
  }

  @Test
  void refusesAClassPathThatDoesNotExist() {
    assertThat(run("explain", "--class-path", "no.jar", "java.util.List")).isEqualTo(2);
    assertThat(err.toString()).contains("--class-path names 'no.jar', which does not exist");
  }

  @Test
  void printsTheSchema() {
    assertThat(run("schema")).isZero();
    assertThat(out.toString()).startsWith("<?xml").contains("urn:troupe:descriptor:1");
  }

  @Test
  void convertsAnOldDescriptor() throws IOException {
    assertThat(run("convert", old())).isZero();

    assertThat(out.toString()).contains("<virtualNode name=\"solvers\"/>", "<local id=\"here\"");
    assertThat(err.toString())
        .endsWith(
            "old.xml:3:21: attribute 'timeout' of 'virtualNode' has no counterpart; give a time in the"
                + " program: grid.nodes(name).await(all(), time)"
                + System.lineSeparator());
    Path converted = folder.resolve("grid.xml");
    assertThat(run("convert", old(), "-o", converted.toString())).isZero();
    assertThat(run("validate", converted.toString())).isZero();
  }

  @Test
  void replacesAConvertedDescriptorOnlyIfTold() throws IOException {
    String there = descriptor("mine");

    assertThat(run("convert", old(), "-o", there)).isEqualTo(2);
    assertThat(err.toString()).contains("'" + there + "' is there already", "--force");
    assertThat(Path.of(there)).hasContent("mine");
    assertThat(run("convert", old(), "-o", there, "--force")).isZero();
    assertThat(Files.readString(Path.of(there))).contains("<troupe");
  }

  @Test
  void saysWhatIsNoOldDescriptor() throws IOException {
    assertThat(run("convert", descriptor(GOOD))).isEqualTo(2);
    assertThat(err.toString()).contains("grid.xml:1:1: the root element is 'troupe'");
  }

  private String old() throws IOException {
    String text =
        """
        <ProActiveDescriptor>
          <componentDefinition><virtualNodesDefinition><virtualNode name="solvers"
                            timeout="60"/></virtualNodesDefinition></componentDefinition>
          <deployment>
            <mapping>
              <map virtualNode="solvers"><jvmSet><vmName value="here"/></jvmSet></map>
            </mapping>
            <jvms>
              <jvm name="here"><creation><processReference refid="jvm"/></creation></jvm>
            </jvms>
          </deployment>
          <infrastructure>
            <processes>
              <processDefinition id="jvm"><jvmProcess class="JVMNodeProcess"/></processDefinition>
            </processes>
          </infrastructure>
        </ProActiveDescriptor>
        """;
    return Files.writeString(folder.resolve("old.xml"), text).toString();
  }

  @Test
  void printsAScriptForTheShell() {
    assertThat(run("completion")).isZero();
    assertThat(out.toString()).contains("complete -F _complete_troupe", "validate");
  }

  @Test
  void writesManualPages() throws Exception {
    assertThat(run("man", folder.resolve("man1").toString())).isZero();

    assertThat(folder.resolve("man1/troupe.1"))
        .content()
        .startsWith(".TH \"TROUPE\" 1\n.SH NAME\ntroupe \\- Grid programming in plain Java.\n")
        .contains(".SH VERBS\n.TP\n\\fBrun\\fR\n")
        .contains(".SH EXIT STATUS\n")
        .doesNotContain("Writes the manual pages");
    assertThat(folder.resolve("man1/troupe-run.1"))
        .content()
        .contains("\\fB\\-\\-class\\-path=PATH\\fR")
        .contains(".BR troupe (1)");
    assertThat(folder.resolve("man1/troupe-man.1")).doesNotExist();
  }

  // init

  @Test
  void makesAProjectNamedAfterItsFolder() throws Exception {
    Path project = folder.resolve("My Project");

    assertThat(run("init", project.toString())).isZero();

    assertThat(out.toString()).contains("./mvnw package");
    assertThat(project.resolve("pom.xml"))
        .content()
        .contains("<artifactId>my-project</artifactId>", "<mainClass>com.example.myproject.Pi")
        .contains("${project.build.directory}/lib")
        .doesNotContain("_NAME", "_VERSION", "TROUPE_", "<repository>");
    assertThat(project.resolve("src/test/java/com/example/myproject/PiTest.java"))
        .content()
        .startsWith("package com.example.myproject;")
        .contains("@GridTest(nodes = 3)");
    assertThat(project.resolve("mvnw")).isExecutable();
    assertThat(project.resolve(".mvn/wrapper/maven-wrapper.properties")).exists();
    assertThat(project.resolve(".gitignore")).content().contains("target/");
    assertThat(run("validate", project.resolve("grid.xml").toString())).isZero();
  }

  @Test
  void makesASingleFile() throws Exception {
    Path project = Files.createDirectory(folder.resolve("one"));

    assertThat(run("init", "--single", project.toString())).isZero();

    assertThat(project).isDirectoryContaining("glob:**/Pi.java");
    assertThat(project.resolve("Pi.java"))
        .content()
        .contains("public class Pi {", "import org.troupe.deployment.Grid;")
        .contains("(LocalNodes nodes = LocalNodes.start(2))"); // as its comment names it
  }

  @Test
  void leavesAFolderThatIsInUseAlone() throws Exception {
    Path used = Files.writeString(folder.resolve("notes"), "mine");

    assertThat(run("init", folder.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("exists and is no empty folder; name a new one");
    assertThat(run("init", used.toString())).isEqualTo(2);
    assertThat(folder).isDirectoryContaining("glob:**/notes");
    assertThat(used).content().isEqualTo("mine");
    assertThat(run("init", used.resolve("project").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("'" + used + "' is no folder");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void saysThatAFileSystemTakesNoProject() {
    assertThat(run("init", "/proc/project")).isEqualTo(2);
    assertThat(err.toString())
        .contains("its file system takes no new files")
        .doesNotContain("Exception");
  }

  // run

  @Test
  void asksForTheProgram() {
    assertThat(run("run")).isEqualTo(2);
    assertThat(err.toString()).startsWith("troupe run: APP is missing; ");
  }

  @Test
  void saysThatThereIsNoSuchApplication() {
    assertThat(run("run", "emd3")).isEqualTo(2);
    assertThat(err.toString()).startsWith("troupe run: there is no application 'emd3'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "my.jar | is no application; to run a program of your own, write --class-path my.jar",
        "--main my/pkg/Main.java | write the name of the class, not of its file, such as 'my.pkg.Main'",
        "--class-path . Main | to start a class of the class path, write --main Main"
      })
  void saysHowAProgramOfTheUserIsRun(String arguments, String remedy) {
    assertThat(run(("run " + arguments).split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(remedy);
  }

  @Test
  void saysThatAValueIsNoNumber() {
    assertThat(run("dashboard", "--port", "abc")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(
            "troupe dashboard: --port must be a whole number, such as 8080, not 'abc'; see ");
  }

  @Test
  void takesNoMisspeltOptionForAnApplication() {
    assertThat(run("run", "--clas-path", "a.jar", "em3d")).isEqualTo(2);
    assertThat(err.toString())
        .contains("there is no option '--clas-path'; did you mean '--class-path'?");
  }

  @Test
  void leavesArgumentsToTheProgram() {
    String[] arguments = {"--help", "-D", "a=b", "", "two words", "--", "--main", "@file", "-h"};

    assertThat(runProgram("Record", arguments)).isZero();
    assertThat(Programs.arguments).containsExactly(arguments);
  }

  @Test
  void runsAProgramWithoutArguments() {
    assertThat(runProgram("WithoutArguments", "any")).isZero();
    assertThat(Programs.arguments).containsExactly("none");
  }

  @Test
  void runsAnInheritedMainOfAnInstance() {
    assertThat(runProgram("OfAnInstance", "any")).isZero();
    assertThat(Programs.arguments).containsExactly("OfAnInstance", "any");
  }

  @Test
  void asksForTheMainClass() {
    assertThat(run("run", "--main")).isEqualTo(2);
    assertThat(err.toString()).startsWith("troupe run: the value CLASS of --main is missing; ");
  }

  @Test
  void asksForTheMainClassOfAFolder() {
    assertThat(run("run", "--class-path", folder.toString())).isEqualTo(2);
    assertThat(err.toString()).startsWith("troupe run: no class to start is named");
  }

  @Test
  void refusesAClassWithoutMain() {
    assertThat(runProgram("WithoutMain")).isEqualTo(2);
    assertThat(err.toString()).contains("has no method main that could be started; declare");
  }

  @Test
  void saysThatTheMainClassDoesNotExist() {
    assertThat(run("run", "--main", "com.example.Nothing")).isEqualTo(2);
    assertThat(err.toString()).contains("there is no class 'com.example.Nothing'");
  }

  @Test
  void refusesAFileThatIsNoJar() throws IOException {
    assertThat(run("run", "--class-path", descriptor(GOOD))).isEqualTo(2);
    assertThat(err.toString()).contains("grid.xml', which is no jar");
  }

  @Test
  void printsTheTraceOfAProgramAsTheJvmWould() {
    assertThat(runProgram("Throwing")).isEqualTo(1);
    assertThat(err.toString().lines().map(line -> line.replaceFirst("\\(.*", "")))
        .containsExactly(
            "Exception in thread \"main\" java.lang.IllegalStateException: the parts do not fit",
            "\tat " + frame("Throwing.main"),
            "Caused by: java.lang.ArithmeticException: / by zero",
            "\tat " + frame("Throwing.divide"),
            "\tat " + frame("Throwing.main"));
  }

  @Test
  void printsTheWholeTraceOfAProgramWhenAskedTo() {
    assertThat(run("--verbose", "run", "--main", PROGRAMS + "Throwing")).isEqualTo(1);
    assertThat(err.toString()).contains("the parts do not fit", "picocli");
  }

  @Test
  void reportsAProgramThatCannotBeInitialised() {
    assertThat(runProgram("NotInitialised")).isEqualTo(1);
    assertThat(err.toString())
        .contains("ExceptionInInitializerError", "IllegalStateException: no library");
  }

  @Test
  void printsTheSentenceAndTheLineOfAWrongCall() {
    assertThat(runProgram("WithoutNodes")).isEqualTo(1);
    assertThat(refusal())
        .containsExactly(
            "cannot start 0 JVMs on this machine; ask for 1 to 10000",
            "\tat " + frame("WithoutNodes.main"));
  }

  @Test
  void printsTheSentenceAndTheLineOfAStoreThatCannotBeUsed() throws IOException {
    Path file = Files.writeString(folder.resolve("store"), "no folder");

    assertThat(runProgram("Keeping", file.toString())).isEqualTo(1);
    assertThat(refusal())
        .containsExactly(
            "an Outer on node 'main' was not created: "
                + file
                + " is a file, where the store needs a folder; give a directory that this user may write",
            "\tat " + frame("Keeping.main"));
  }

  @Test
  void printsTheWholeTraceOfAWrongCallWhenAskedTo() {
    assertThat(run("--verbose", "run", "--main", PROGRAMS + "WithoutNodes")).isEqualTo(1);
    assertThat(err.toString())
        .contains("IllegalArgumentException: cannot start 0", "Descriptor.local(");
  }

  @Test
  void printsTheTraceOfAWrongCallWithinTheProgramsOwnObject() {
    assertThat(runProgram("Nested")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("Exception in thread \"main\" java.lang.IllegalArgumentException: ")
        .contains(frame("Nested$Outer.open"), frame("Nested.main"));
  }

  @Test
  void printsTheTraceOfAValueThatFailsWhileItIsEncoded() {
    assertThat(runProgram("Encoding")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("Exception in thread \"main\" ")
        .contains("Caused by: ", frame("Encoding$Broken.writeObject"), frame("Encoding.main"));
  }

  @Test
  void printsTheTraceOfAWrongCallWithTheFailureOfACloseBehindIt() {
    assertThat(runProgram("Closing")).isEqualTo(1);
    assertThat(err.toString())
        .contains("cannot start 0 JVMs", "Suppressed: java.io.IOException: not closed");
  }

  @Test
  void printsOnlyTheMessageOfAnUnsuitableClass() {
    assertThat(runProgram("Unsuitable")).isEqualTo(1);
    assertThat(err.toString()).contains("String").doesNotContain("\tat ", "Exception");
  }

  @Test
  void printsOnlyTheMessageOfABadDescriptor() {
    assertThat(runProgram("Deploying", "nowhere.xml")).isEqualTo(2);
    assertThat(err.toString()).startsWith("nowhere.xml: does not exist;").hasLineCount(1);
  }

  @Test
  void printsTheLineOfAUsersProgramThatResumesAStoreThatIsMissing() {
    var missing = folder.resolve("nothing");

    assertThat(run("run", "--main", "acme.Resuming", missing.toString())).isEqualTo(3);
    assertThat(err.toString().lines())
        .hasSize(2)
        .satisfies(
            lines -> {
              assertThat(lines.getFirst()).contains("cannot go on with a store", "nothing");
              assertThat(lines.getLast()).startsWith("\tat acme.Resuming.main(Resuming.java:");
            });
  }

  @Test
  void printsOnlyTheMessageOfAFailedDeployment() throws IOException {
    String file = descriptor(GOOD.replace("<local", "<local workingDirectory=\"/no/such/folder\""));

    assertThat(runProgram("Deploying", file)).isEqualTo(3);
    assertThat(err.toString()).contains("/no/such/folder").doesNotContain("\tat ", "Exception");
  }

  /** Returns what was printed, without the numbers of lines, and reports of other tests' runs. */
  private Stream<String> refusal() {
    return err.toString()
        .lines()
        .filter(line -> !line.startsWith("a report of the run is in "))
        .map(line -> line.replaceFirst("\\(Programs.*", ""));
  }

  private int runProgram(String name, String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "run";
    all[1] = "--main";
    all[2] = PROGRAMS + name;
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    return run(all);
  }

  private int run(String... arguments) {
    return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }

  private static String frame(String method) {
    return Programs.class.getName() + "$" + method;
  }

  private String descriptor(String text) throws IOException {
    return Files.writeString(folder.resolve("grid.xml"), text).toString();
  }
}
