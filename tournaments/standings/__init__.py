"""Who stands where, from who met whom: pure, and computed anew each time."""
