package ibis.ipl.internal.registry;

import ibis.ipl.internal.base.InstanceIdentifier;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.function.Consumer;

/** Performs the requests of members to their pools and replies to them. */
final class MemberRequests {

  private final MemberMonitor monitor;
  private final Consumer<ServerPool> left;

  /**
   * Creates the service.
   *
   * @param left receives each pool that a member has left
   */
  MemberRequests(MemberMonitor monitor, Consumer<ServerPool> left) {
    this.monitor = monitor;
    this.left = left;
  }

  /** Performs a request and sends the reply over the member's session. */
  void serve(ServerPool pool, ServerPool.Request request) {
    ServerPool.Member member = request.member();
    DataInputStream in = RegistryProtocol.read(request.message());
    try {
      int kind = in.readByte();
      int number = in.readInt();
      byte[] reply;
      try {
        RegistryProtocol.Body result = perform(pool, member, kind, in);
        reply =
            RegistryProtocol.message(
                RegistryProtocol.REPLY,
                out -> {
                  out.writeInt(number);
                  result.writeTo(out);
                });
      } catch (IllegalArgumentException e) {
        reply =
            RegistryProtocol.message(
                RegistryProtocol.ERROR,
                out -> {
                  out.writeInt(number);
                  out.writeUTF(String.valueOf(e.getMessage()));
                });
      }
      boolean _ = member.session.send(reply);
    } catch (IOException e) {
      throw new IllegalArgumentException("malformed request of " + member.identifier, e);
    }
  }

  private RegistryProtocol.Body perform(
      ServerPool pool, ServerPool.Member member, int kind, DataInputStream in) throws IOException {
    switch (kind) {
      case RegistryProtocol.ELECT -> {
        InstanceIdentifier winner = pool.elect(member, in.readUTF());
        return out -> winner.writeTo(out);
      }
      case RegistryProtocol.SEQUENCE -> {
        long number = pool.nextNumber(member, in.readUTF());
        return out -> out.writeLong(number);
      }
      case RegistryProtocol.ADD_TOKENS -> pool.addTokens(member, in.readUTF(), in.readInt());
      case RegistryProtocol.GET_TOKEN -> {
        boolean got = pool.takeToken(member, in.readUTF());
        return out -> out.writeBoolean(got);
      }
      case RegistryProtocol.SIGNAL -> {
        String signal = in.readUTF();
        int count = in.readInt();
        var targets = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
          targets.add(in.readUTF());
        }
        pool.signal(member, signal, targets);
      }
      case RegistryProtocol.TERMINATE -> pool.terminate(member);
      case RegistryProtocol.MAYBE_DEAD -> {
        ServerPool.Member suspect = pool.find(in.readUTF());
        if (suspect != null) {
          monitor.checkSoon(pool, suspect, member.identifier.name() + " suspects it");
        }
      }
      case RegistryProtocol.ASSUME_DEAD -> {
        ServerPool.Member dead = pool.find(in.readUTF());
        if (dead != null) {
          monitor.remove(pool, dead, member.identifier.name() + " declared it dead");
        }
      }
      case RegistryProtocol.LEAVE -> {
        boolean _ = pool.remove(member, false, "");
        left.accept(pool);
      }
      default -> throw new IllegalArgumentException("there is no request of kind " + kind);
    }
    return out -> {};
  }
}
