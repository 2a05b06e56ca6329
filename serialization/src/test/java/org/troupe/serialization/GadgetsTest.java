package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.serialization.graph.Serializer;
import org.troupe.serialization.graph.TypeTable;

/**
 * The classes of published gadget chains are refused by name, wherever in a graph they stand, by a
 * receiver that allows the platform's values and a program's own classes.
 *
 * <p>Libraries that are not there are stood in for by empty classes of the same names, which a
 * receiver could load; so that a refusal is one by the allow-list.
 *
 * @see "C. Frohoff and others, ysoserial: the payloads' sources list their classes"
 * @see "M. Bechler, Java Unmarshaller Security, 2017"
 */
class GadgetsTest {

  /** Classes of libraries. */
  private static final List<String> OF_LIBRARIES =
      List.of(
          "bsh.XThis$Handler",
          "clojure.lang.PersistentArrayMap",
          "com.mchange.v2.c3p0.PoolBackedDataSource",
          "com.mchange.v2.c3p0.JndiRefForwardingDataSource",
          "com.sun.syndication.feed.impl.ObjectBean",
          "com.vaadin.data.util.NestedMethodProperty",
          "net.sf.json.JSONObject",
          "org.apache.click.control.Column$ColumnComparator",
          "org.apache.commons.beanutils.BeanComparator",
          "org.apache.commons.collections.functors.ChainedTransformer",
          "org.apache.commons.collections.functors.InstantiateTransformer",
          "org.apache.commons.collections.functors.InvokerTransformer",
          "org.apache.commons.collections.keyvalue.TiedMapEntry",
          "org.apache.commons.collections.map.LazyMap",
          "org.apache.commons.collections4.comparators.TransformingComparator",
          "org.apache.commons.collections4.functors.InvokerTransformer",
          "org.apache.commons.fileupload.disk.DiskFileItem",
          "org.apache.myfaces.view.facelets.el.ValueExpressionMethodExpression",
          "org.apache.wicket.util.upload.DiskFileItem",
          "org.aspectj.weaver.tools.cache.SimpleCache$StoreableCachingMap",
          "org.codehaus.groovy.runtime.ConvertedClosure",
          "org.codehaus.groovy.runtime.MethodClosure",
          "org.hibernate.engine.spi.TypedValue",
          "org.jboss.weld.interceptor.proxy.InterceptorMethodHandler",
          "org.mozilla.javascript.NativeJavaObject",
          "org.python.core.PyObject",
          "org.springframework.aop.framework.JdkDynamicAopProxy",
          "org.springframework.beans.factory.ObjectFactory",
          "org.springframework.core.SerializableTypeWrapper$MethodInvokeTypeProvider");

  /** Classes of the JDK. */
  private static final List<String> OF_THE_PLATFORM =
      List.of(
          "com.sun.jndi.ldap.LdapAttribute",
          "com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl",
          "com.sun.rowset.JdbcRowSetImpl",
          "java.beans.EventHandler",
          "java.beans.Expression",
          "java.io.FileOutputStream",
          "java.lang.ClassLoader",
          "java.lang.ProcessBuilder",
          "java.lang.Runtime",
          "java.lang.Thread",
          "java.lang.invoke.MethodHandles$Lookup",
          "java.lang.ref.Finalizer",
          "java.lang.reflect.Constructor",
          "java.lang.reflect.Method",
          "java.net.URL",
          "java.net.URLClassLoader",
          "java.nio.channels.FileChannel",
          "java.rmi.MarshalledObject",
          "java.rmi.server.RemoteObjectInvocationHandler",
          "java.rmi.server.UnicastRemoteObject",
          "java.security.KeyRep",
          "java.security.SignedObject",
          "java.util.ServiceLoader",
          "java.util.logging.FileHandler",
          "javax.management.BadAttributeValueExpException",
          "javax.management.remote.rmi.RMIConnector",
          "javax.naming.InitialContext",
          "javax.naming.ldap.Rdn",
          "javax.script.ScriptEngineManager",
          "javax.swing.UIDefaults$ProxyLazyValue",
          "javax.swing.event.EventListenerList",
          "jdk.internal.reflect.DirectMethodHandleAccessor",
          "sun.reflect.annotation.AnnotationInvocationHandler",
          "sun.rmi.server.UnicastRef");

  /** A class of the program, with room for anything. */
  static class Holder {
    Object content;
  }

  record Order(Object gadget) implements Comparator<Object>, Serializable {
    @Override
    public int compare(Object one, Object other) {
      return 0;
    }
  }

  record Handler(Object gadget) implements InvocationHandler {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return null;
    }
  }

  static class Problem extends RuntimeException {
    private final Object gadget;

    Problem(Object gadget, Throwable cause) {
      super("problem", cause);
      this.gadget = gadget;
    }
  }

  /** Stands for every gadget in what is sent; the definition then gives it a gadget's name. */
  private static final String STAND_IN = "stand.In";

  private static final String INITIALISED = "troupe.test.gadget";

  /** All the places in a graph where a gadget was ever hidden. */
  private static List<Object> hidden(Object gadget) {
    Holder holder = new Holder();
    holder.content = gadget;
    PriorityQueue<Object> queue = new PriorityQueue<>(2, new Order(gadget));
    queue.add(1);
    queue.add(2);
    Object proxy =
        Proxy.newProxyInstance(
            GadgetsTest.class.getClassLoader(),
            new Class<?>[] {Supplier.class},
            new Handler(gadget));
    return List.of(
        gadget,
        new ArrayList<>(List.of(1, gadget)),
        new HashMap<>(Map.of(gadget, 1)),
        new HashMap<>(Map.of(1, gadget)),
        Map.entry(gadget, 1),
        queue,
        new Object[] {null, gadget},
        array(gadget),
        Optional.of(gadget),
        new AtomicReference<>(gadget),
        (Supplier<Object> & Serializable) () -> gadget,
        proxy,
        new Problem(gadget, null),
        new IllegalStateException(new Problem(gadget, new Exception())),
        Arrays.asList(gadget, 1),
        holder);
  }

  private static Object array(Object element) {
    Object array = Array.newInstance(element.getClass(), 1);
    Array.set(array, 0, element);
    return array;
  }

  static Stream<String> gadgets() {
    return Stream.concat(OF_LIBRARIES.stream(), OF_THE_PLATFORM.stream());
  }

  @ParameterizedTest
  @MethodSource("gadgets")
  void areRefusedEverywhere(String gadget) {
    Serializer sender = Serializer.builder().build();
    ClassMaker here = new ClassMaker();
    OF_LIBRARIES.forEach(name -> here.withInitializer(name, INITIALISED));
    Serializer receiver =
        Serializer.builder()
            .classLoader(here)
            .allow(
                TypeFilter.platform()
                    .or(
                        TypeFilter.codeSources(
                            List.of(
                                GadgetsTest.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation())))
                    .or(TypeFilter.patterns("my.program.**")))
            .build();

    for (Object graph : hidden(new ClassMaker().with(STAND_IN).instance(STAND_IN))) {
      EncodedGraph body = sender.encode(graph);
      TypeTable table = new TypeTable();
      for (int id : body.typeIds()) {
        table.define(Definitions.ofClass(sender.ownTypes().definition(id), STAND_IN, gadget));
      }
      assertThatThrownBy(() -> receiver.decode(body, table, t -> t))
          .as("in a " + graph.getClass())
          .isInstanceOf(SerializationException.class)
          .hasMessageContaining("type '" + gadget + "' is not allowed here");
    }
    assertThat(System.getProperty(INITIALISED)).isNull();
  }
}
