package gantry.cluster;

/** One job of a batch. amount: of a map, ms that it sleeps or KB that it reads; reduceMs: what a reduce sleeps. */
record Line(double arrivalS, String name, String user, String queue, String kind, int maps, int reduces, int amount, int reduceMs,
    String slowstart, int mapMb, int reduceMb) {
  static Line of(String text) {
    String[] part = text.split("\t");
    return new Line(Double.parseDouble(part[0]), part[1], part[2], part[3], part[4], Integer.parseInt(part[5]), Integer.parseInt(part[6]),
        Integer.parseInt(part[7]), Integer.parseInt(part[8]), part[9], Integer.parseInt(part[10]), Integer.parseInt(part[11]));
  }
}
