from podium.methods.sco import sco
