/* dash-renderer walks the whole page's layout at every change, for each component whose class asks to see
   its children's changes. None of ours needs that. */
for (const component of Object.values(window.dash_mantine_components)) delete component.dashChildrenUpdate;
