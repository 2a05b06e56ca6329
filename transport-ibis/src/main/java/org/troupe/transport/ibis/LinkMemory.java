package org.troupe.transport.ibis;

import java.lang.foreign.MemorySegment;
import org.troupe.activeobjects.transport.SharedSegment;
import org.troupe.links.port.HostMemory;

/** Memory that the ports of one host share. */
record LinkMemory(HostMemory memory) implements SharedSegment {

  @Override
  public MemorySegment all() {
    return memory.all();
  }

  @Override
  public byte[] details() {
    return memory.details();
  }

  @Override
  public void await(MemorySegment word, int value) {
    memory.await(word, value);
  }

  @Override
  public void wake(MemorySegment word) {
    memory.wake(word);
  }

  @Override
  public void close() {
    memory.close();
  }
}
