package org.troupe.serialization.internal.codecs;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;

/**
 * Instances of {@link Proxy}, whose class has another name in each JVM: their interfaces and
 * handler.
 */
public final class ProxyCodec extends Codec {

  private final ClassLayout layout;

  public ProxyCodec(Class<?> type) {
    super(type);
    List<String> interfaces = Arrays.stream(type.getInterfaces()).map(Class::getName).toList();
    // Named by the one class that is the same everywhere.
    this.layout =
        new ClassLayout(ClassLayout.Kind.PROXY, Proxy.class.getName(), List.of(), interfaces);
  }

  @Override
  public void write(Encoder out, Object value) {
    out.writeSlot(Proxy.getInvocationHandler(value), this, 0);
  }

  @Override
  public Object read(Decoder in, int handle) {
    InvocationHandler handler = (InvocationHandler) in.readSlot(this, null, 0);
    if (handler == null) {
      throw new CodecFailure("a proxy has no handler; the bytes are damaged");
    }
    return Proxy.newProxyInstance(type().getClassLoader(), type().getInterfaces(), handler);
  }

  @Override
  public String segment(int slot) {
    return ".handler";
  }

  @Override
  public Class<?> slotType(int slot) {
    return InvocationHandler.class;
  }

  @Override
  public ClassLayout layout() {
    return layout;
  }
}
