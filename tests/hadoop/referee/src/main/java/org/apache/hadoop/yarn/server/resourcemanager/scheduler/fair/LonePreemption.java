package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;

/** The steps of FairScheduler's preemption thread, which is made and never started, one starved application after another; kills are the caller's. */
public class LonePreemption {
  private final FairScheduler scheduler;
  private final Method identify;

  public LonePreemption(FairScheduler scheduler) throws ReflectiveOperationException {
    this.scheduler = scheduler;
    identify = FSPreemptionThread.class.getDeclaredMethod("identifyContainersToPreempt", FSAppAttempt.class);
    identify.setAccessible(true);
  }

  /** What is to be killed, after the warning, for those found starved by the last update. */
  @SuppressWarnings("unchecked")
  public List<RMContainer> marked() throws Exception {
    List<RMContainer> found = new ArrayList<>();
    FSStarvedApps starved = scheduler.getContext().getStarvedApps();
    while (!((Collection<?>) field(FSStarvedApps.class, "appsToProcess").get(starved)).isEmpty()) {
      FSAppAttempt app = starved.take();
      found.addAll((List<RMContainer>) identify.invoke(scheduler.preemptionThread, app));
      app.preemptionTriggered(number("delayBeforeNextStarvationCheck"));
    }
    field(FSStarvedApps.class, "appBeingProcessed").set(starved, null);  // the thread waits for the next
    return found;
  }

  public long warningMs() throws ReflectiveOperationException {
    return number("warnTimeBeforeKill");
  }

  private long number(String name) throws ReflectiveOperationException {
    return field(FSPreemptionThread.class, name).getLong(scheduler.preemptionThread);
  }

  private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
    Field found = type.getDeclaredField(name);
    found.setAccessible(true);
    return found;
  }
}
