from podium.methods.sco_exact import sco_exact
