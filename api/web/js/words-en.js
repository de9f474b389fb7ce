export default {
  // Every page.
  'nav.boards': 'Boards', 'nav.matches': 'Matches', 'nav.photo': 'Photo', 'nav.setup': 'Set up', 'nav.referee': 'Referee', 'nav.live': 'Live',
  'nav.label': 'Pages', 'nav.language': 'Language', 'nav.skip': 'Skip to the content',
  'line.waiting': 'Cut off from Crokcam. Trying again…', 'line.refused': 'This needs a token.',
  'sign.title': 'Sign in', 'sign.why': 'An organiser can give you a token.', 'sign.token': 'Token', 'sign.in': 'Sign in',
  'changed': 'Somebody else was quicker, or the match has moved on. This is how it stands now; please look and try again.',
  'failed': 'That did not work: {why}', 'done': 'Done.', 'cancel': 'Cancel', 'close': 'Close', 'yes': 'Yes', 'no': 'No', 'save': 'Save', 'more': 'More', 'loading': 'One moment…', 'missing': 'There is no such page here.',

  // Words of the game.
  'side': 'Side {side}', 'points': 'Points', 'twenties': '20s', 'hammer': 'Hammer', 'lead': 'Leads', 'round': 'Round {n}', 'round.other': 'Round {n}', 'game': 'Game {n}', 'game.other': 'Game {n}', 'games': 'Games',
  'left.one': '{n} disc left', 'left.other': '{n} discs left', 'thisround': 'This round', 'zone.out': 'out', 'seat.south': 'South', 'seat.west': 'West', 'seat.north': 'North', 'seat.east': 'East',
  'board': 'The board', 'board.empty': 'The board is empty.', 'board.says.one': '{n} disc on the board.', 'board.says.other': '{n} discs on the board.', 'disc.says': '{name}: counts {zone}',
  'score': 'Score',

  // What the match waits for.
  'phase.between': 'Between rounds', 'phase.shooting': '{name} to shoot', 'phase.judging': 'Judging the shot…', 'phase.asking': 'A question is open', 'phase.removing': 'Take the marked discs off the board', 'phase.restoring': 'Put the marked discs right', 'phase.counting': 'Count the round', 'phase.shootout': 'Shoot-out for open 20s', 'phase.over': 'The match is over', 'phase.paused': 'Paused', 'phase.desynced': 'Board and match differ',
  'winner': '{name} wins', 'drawn': 'Drawn', 'nomatch': 'No match is on this board.',
  'verdict': 'The last shot', 'verdict.none': 'No shot yet in this round.', 'verdict.of': 'Shot {number}, {name}', 'verdict.corrected': 'corrected', 'ruling.good': 'Good shot', 'ruling.failed': 'Failed shot', 'ruling.unclear': 'Unclear', 'ruling.desynced': 'Board and match differ', 'turn.forfeited': 'The turn was forfeited', 'turn.time_ended': 'The time is up', 'turn.resynced': 'The board was taken as it lay',
  'twenty.scored': '20 for {name}', 'close.call': 'Close call: {gap} mm from the line', 'basis.contacts': 'judged by contacts seen', 'basis.snapshots': 'judged by before and after', 'basis.both': 'judged by contacts, and a disc that moved without one',

  // Questions.
  'asks': 'Please look closely', 'ask.holds': 'Play waits for the answer.', 'ask.offer': 'Play goes on; answer if it is wrong.',
  'ask.close': 'What does this disc count?', 'ask.close.hint': 'A disc that touches even a hair of the line counts the lower value.', 'ask.twenty': 'Was it a 20?', 'ask.removal.gone': 'This disc is gone though it should stay.', 'ask.removal.stays': 'This disc is to be taken off. Does it stay?', 'ask.shooter': 'Who shot?', 'ask.board': 'How does the board lie?', 'ask.doubt': 'Was it a good shot?',
  'answer.touches': 'Yes, it touches', 'answer.clear': 'No, it is clear', 'answer.good': 'Good', 'answer.failed': 'Failed', 'answer.board': 'It stays', 'answer.ditch': 'To the ditch', 'answer.twenty': 'It is a 20', 'picture.after': 'The board after the shot', 'picture.before': 'The board before the shot', 'picture.near': 'The disc in question, enlarged', 'picture.marks': 'Tap to show or hide the marks',

  // Corrections.
  'correct': 'Correct', 'correct.hint': 'Tap a disc to correct it.', 'correct.zone': 'Counts {zone}', 'correct.owner': 'It is {name}’s', 'correct.swap': 'Swap it with another', 'correct.swap.hint': 'Tap the disc to swap it with.', 'correct.gone': 'It is not there', 'correct.twenty': 'It is a 20', 'correct.move': 'Move it', 'correct.move.hint': 'Tap where it lies.', 'correct.add.hint': 'Tap where the disc lies.', 'correct.twenties': '20s of {name}', 'correct.missed': 'A missed 20 for {name}', 'correct.toomany': 'One 20 less for {name}', 'correct.reason': 'Corrected at the board',
  'undo': 'Undo', 'redo': 'Redo', 'pause': 'Pause', 'resume': 'Go on', 'accept': 'The board lies so', 'accept.why': 'Take the board as it now lies, and go on from there. What it does not show is worked out, unless you say otherwise.', 'accept.do': 'Take it', 'accept.next': 'Next to shoot', 'accept.worked': 'as worked out',
  'round.start': 'Start the round', 'agree': 'Agree to the count', 'agree.why': 'Clear the board to agree, or agree here.', 'forfeit': 'Turn forfeited', 'time.end': 'Time is up', 'match.close': 'End the match', 'match.close.why': 'Why does the match end here?', 'match.close.winner': 'Winner', 'nobody': 'nobody', 'round.enter': 'Enter a round by hand', 'round.points': 'Points of {name}', 'shootout.hits': 'Open 20s of {name}', 'note.add': 'Add a remark', 'note.text': 'Remark', 'send': 'Enter',
  'match.new': 'New match', 'match.off': 'Take the match off the board',

  // Camera.
  'camera': 'Camera', 'camera.good': 'The camera sees the board', 'camera.absent': 'No camera of this service watches this board', 'camera.off': 'The camera is off', 'camera.lost': 'The camera is lost: {why}', 'camera.waiting': 'Waiting for the camera…', 'camera.calibrating': 'Looking for the board…', 'camera.waits.one': '{n} shot seen waits.', 'camera.waits.other': '{n} shots seen wait.', 'camera.held': 'After the undo nothing is recorded until something happens on the board.', 'camera.failure': 'Nothing can be recorded: {why}', 'camera.on': 'Switch on', 'camera.switchoff': 'Switch off', 'camera.fps': '{n} frames a second', 'camera.fps.other': '{n} frames a second', 'camera.picture': 'What the camera sees',
  'state.offline': 'no picture', 'state.calibrating': 'looking for the board', 'state.hand': 'a hand is over the board', 'state.moving': 'discs move', 'state.settling': 'coming to rest',
  'differs': 'Board and match differ', 'differs.missing.one': '{n} disc of the match is not seen.', 'differs.missing.other': '{n} discs of the match are not seen.', 'differs.extra.one': '{n} disc is seen that the match does not have.', 'differs.extra.other': '{n} discs are seen that the match does not have.', 'differs.stays.one': '{n} disc is still to be taken off.', 'differs.stays.other': '{n} discs are still to be taken off.', 'differs.what': 'Put the board right, or take it as it lies.',
  'verdict.all': 'All shots of the match', 'match.export': 'Download the match', 'correct.add.of': 'Add a disc of {name}',
  'answer.removed': 'It is taken off', 'answer.stays': 'It stays and counts', 'answer.put_back': 'It is put back',
  'state.idle': 'ready for a shot', 'state.settled': 'a shot was seen', 'state.removing': 'discs are taken off', 'state.round_over': 'the board is cleared', 'state.desynced': 'lies as no shot can leave it', 'state.paused': 'paused',
  // All boards.
  'hall.none': 'There is no board yet.', 'hall.playing.one': '{n} match is being played', 'hall.playing.other': '{n} matches are being played', 'hall.asks.one': '{n} question', 'hall.asks.other': '{n} questions',
  // Setting up.
  'setup.title': 'Set up a board', 'setup.lead': 'A camera above the board, all of the board in its picture, even light. Three steps, and the score keeps itself.',
  'setup.source': 'Which camera?', 'setup.own': 'Another source', 'setup.own.hint': 'A network camera, a video file, camera:0', 'setup.demo': 'A simulated match', 'setup.demo.hint': 'To try everything without a camera', 'setup.nocamera': 'No camera of this computer was found. Plug one in and load the page again.',
  'setup.name': 'Name of the board', 'setup.name.first': 'Table 1', 'setup.board': 'Kind of board', 'setup.board.auto': 'measured from the picture', 'setup.next': 'Look through it',
  'setup.fixed': 'This board stands in the settings of the service, and is changed there.', 'setup.change': 'Change the camera', 'setup.source.other': 'Another source', 'setup.size': 'Picture size', 'setup.focus': 'Focus', 'setup.exposure': 'Exposure', 'setup.mains': 'Mains of the lamps',
  'setup.look': 'Does it see the board?', 'setup.fit': 'Lines fit to', 'setup.detail': 'A pixel covers', 'setup.tilt': 'Off straight above', 'setup.fine': 'Nothing to improve: the rings lie on the lines.', 'setup.handles': 'The picture with the board’s lines', 'setup.handle': 'Outer end of quadrant line {number}', 'setup.handles.hint': 'The green rings lie on the printed lines, and each player’s side is named. If they do not, drag the four handles to the outer ends of the short lines, or move them with the arrow keys.',
  'setup.again': 'Find it again', 'setup.turn': 'Turn the sides by a quarter', 'setup.use': 'Use these points', 'setup.hand': 'Point at it by hand',
  'setup.play': 'Who plays?', 'play.rules': 'Rules', 'play.layout': 'Players', 'play.player': 'Player {seat}', 'play.colour': 'Discs of {side}', 'play.colour.seen': 'as first seen', 'play.lead': 'Who leads', 'play.title': 'Title (optional)', 'play.games': 'Best of games', 'play.more': 'Another length than the rules say', 'play.rounds': 'Rounds a game', 'play.target': 'Or points to reach', 'play.start': 'Start the match', 'play.on': 'A match is on this board already.', 'play.blind': 'The board is not found yet. The match can start, and is scored once it is.',
  'layout.2p': 'Two', 'layout.4p': 'Four, in pairs', 'layout.3p_2v1': 'Three, two against one', 'layout.3p_ffa': 'Three, each alone', 'layout.4p_ffa': 'Four, each alone',
  'colour.black': 'black', 'colour.natural': 'natural', 'colour.white': 'white', 'colour.red': 'red', 'colour.blue': 'blue', 'colour.green': 'green', 'colour.yellow': 'yellow', 'colour.brown': 'brown',
  // Matches and statistics.
  'matches.list': 'Played and in play', 'matches.who': 'Match', 'matches.result': 'Result', 'matches.when': 'Begun', 'matches.code': 'Code', 'matches.playing': 'in play', 'matches.none': 'No match has been played yet.', 'matches.older': 'Earlier matches',
  'match.rounds': 'Rounds', 'match.round': 'Round', 'match.awarded': 'Counts', 'match.replay': 'Shot by shot', 'step.first': 'First shot', 'step.back': 'Back', 'step.on': 'Next', 'step.last': 'Last shot',
  'stats.title': 'What the players did', 'stats.none': 'No shots yet.', 'stats.twenties': '20s of all shots', 'stats.open': '20s of open shots', 'stats.hits': 'Valid shots at opposing discs', 'stats.between': 'The true rate lies between {low} and {high}', 'stats.rests': 'Where shot discs came to rest', 'stats.heat': 'Where the discs of {name} came to rest', 'stats.heat.hint': 'The player sits below.',
  'stats.matches.one': '{n} match', 'stats.matches.other': '{n} matches', 'stats.won': '{n} won', 'stats.won.other': '{n} won', 'stats.shots.one': '{n} shot', 'stats.shots.other': '{n} shots', 'stats.failed': '{n} failed', 'stats.failed.other': '{n} failed',

  // The referee's view.
  'referee.raw': 'As it came', 'referee.annotated': 'With what was found', 'referee.rectified': 'From straight above', 'referee.discs': 'Discs at rest', 'referee.numbers': 'Camera and board', 'referee.log': 'What happens', 'referee.source': 'Source', 'referee.state': 'The board is', 'referee.got': 'Picture', 'referee.asked': 'Asked for', 'referee.rate': 'Frames', 'referee.age': 'Newest frame is', 'referee.analysis': 'Work on a frame', 'referee.passed': 'Passed over', 'referee.sessions': 'Times opened', 'referee.drift': 'Moved since', 'referee.waiting': 'Shots that wait', 'referee.side': 'Side', 'referee.sure': 'Sure', 'referee.lies': 'Lies', 'referee.zone': 'Zone', 'referee.fate': 'Fate', 'referee.why': 'Why', 'referee.outcomes': 'Every disc of the shot', 'referee.openshot': 'open shot', 'referee.took': 'From first motion to rest: {seconds} s', 'referee.evidence': 'Contacts and what else was seen',
};
