package org.apache.hadoop.mapreduce.v2.app.rm;

import java.io.IOException;
import java.lang.reflect.Field;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.NoopAMPreemptionPolicy;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * The MapReduce master's allocator without its thread: it beats when it is told to, and what it asks for can be sent at once.
 * (In this package for its protected parts.)
 */
public class LoneAllocator extends RMContainerAllocator {
  private final ApplicationMasterProtocol resourceManager;

  public LoneAllocator(AppContext context, ApplicationMasterProtocol resourceManager) {
    super(null, context, new NoopAMPreemptionPolicy());
    this.resourceManager = resourceManager;
  }

  @Override protected ApplicationMasterProtocol createSchedulerProxy() { return resourceManager; }
  @Override protected void startAllocatorThread() { }
  @Override protected void unregister() { }

  @Override public synchronized void heartbeat() throws Exception {
    super.heartbeat();
  }

  /** Sends what is asked for without waiting for the next beat. */
  public void tell() throws YarnException, IOException {
    makeRemoteRequest();
  }

  /** A task asks for its container. A request's time is the machine's clock in Hadoop, here that of the context. */
  public void request(ContainerRequestEvent event) throws ReflectiveOperationException {
    handleEvent(event);
    ContainerRequest request = getScheduledRequests().maps.get(event.getAttemptID());
    if (request == null) return;
    Field time = ContainerRequest.class.getDeclaredField("requestTimeMs");
    time.setAccessible(true);
    time.setLong(request, getContext().getClock().getTime());
  }
}
