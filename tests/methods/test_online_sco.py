from podium.methods.online_sco import online_sco
