package gantry.referee;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.security.GroupMappingServiceProvider;

/** Every user is alone in a group of the same name. */
public class EachAlone implements GroupMappingServiceProvider {
  @Override public List<String> getGroups(String user) { return List.of(user); }
  @Override public Set<String> getGroupsSet(String user) { return Set.of(user); }
  @Override public void cacheGroupsRefresh() { }
  @Override public void cacheGroupsAdd(List<String> groups) { }
}
