"""A cluster's own configuration: fair-scheduler.xml, capacity-scheduler.xml and yarn-site.xml, read into a
scenario and written back.
"""
