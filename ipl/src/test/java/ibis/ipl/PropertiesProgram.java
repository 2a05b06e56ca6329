package ibis.ipl;

import java.util.Properties;

/** Prints, in a JVM of its own, what became of the properties that its starter has set. */
public final class PropertiesProgram {

  private PropertiesProgram() {}

  public static void main(String[] arguments) throws Exception {
    Properties own = new Properties();
    own.setProperty("test.e", "argument");
    own.setProperty(IbisProperties.REGISTRY_IMPLEMENTATION, "null");
    own.setProperty("ibis.listen.address", "127.0.0.1");
    own.setProperty(IbisProperties.SECRET, "0".repeat(64));
    Ibis ibis = IbisFactory.createIbis(new IbisCapabilities(), own, true, null);
    for (String key : new String[] {"a", "b", "c", "d", "e"}) {
      System.out.println(key + "=" + ibis.properties().getProperty("test." + key));
    }
    String name = IbisProperties.REGISTRY_IMPLEMENTATION;
    System.out.println(name + "=" + IbisProperties.getHardcodedProperties().getProperty(name));
    ibis.end();
  }
}
