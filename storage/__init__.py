"""Where everything is kept: one PostgreSQL, embedded or anybody's, the tables that rooms bring along, and jobs that wait in it."""
