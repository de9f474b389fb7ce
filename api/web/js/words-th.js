export default {
  'nav.boards': 'กระดาน', 'nav.matches': 'การแข่งขัน', 'nav.photo': 'ภาพถ่าย', 'nav.setup': 'ตั้งค่า', 'nav.referee': 'กรรมการ', 'nav.live': 'สด',
  'nav.label': 'หน้า', 'nav.language': 'ภาษา', 'nav.skip': 'ข้ามไปที่เนื้อหา',
  'line.waiting': 'ขาดการเชื่อมต่อกับ Crokcam กำลังลองใหม่…', 'line.refused': 'ต้องใช้โทเคน',
  'sign.title': 'ลงชื่อเข้าใช้', 'sign.why': 'ขอโทเคนได้จากผู้จัดการแข่งขัน', 'sign.token': 'โทเคน', 'sign.in': 'เข้าใช้',
  'changed': 'มีคนทำก่อนแล้ว หรือการแข่งขันเดินหน้าไปแล้ว นี่คือสถานะล่าสุด โปรดดูแล้วลองใหม่',
  'failed': 'ทำไม่สำเร็จ: {why}', 'done': 'เสร็จแล้ว', 'cancel': 'ยกเลิก', 'close': 'ปิด', 'yes': 'ใช่', 'no': 'ไม่ใช่', 'save': 'บันทึก', 'more': 'เพิ่มเติม', 'loading': 'รอสักครู่…', 'missing': 'ไม่มีหน้านี้',

  'side': 'ฝ่าย {side}', 'points': 'คะแนน', 'twenties': 'แต้ม 20', 'hammer': 'ยิงสุดท้าย', 'lead': 'ยิงก่อน', 'round': 'รอบ {n}', 'round.other': 'รอบ {n}', 'game': 'เกม {n}', 'game.other': 'เกม {n}', 'games': 'เกม',
  'left.other': 'เหลือ {n} แผ่น', 'thisround': 'รอบนี้', 'zone.out': 'ออก', 'seat.south': 'ใต้', 'seat.west': 'ตะวันตก', 'seat.north': 'เหนือ', 'seat.east': 'ตะวันออก',
  'board': 'กระดาน', 'board.empty': 'กระดานว่าง', 'board.says.other': 'มี {n} แผ่นบนกระดาน', 'disc.says': '{name}: นับ {zone}',
  'score': 'คะแนน',

  'phase.between': 'ระหว่างรอบ', 'phase.shooting': 'ตาของ {name}', 'phase.judging': 'กำลังตัดสิน…', 'phase.asking': 'มีคำถามรอคำตอบ', 'phase.removing': 'นำแผ่นที่ทำเครื่องหมายออก', 'phase.restoring': 'วางแผ่นที่ทำเครื่องหมายให้ถูกที่', 'phase.counting': 'นับคะแนนรอบนี้', 'phase.shootout': 'ยิงตัดสินด้วยแต้ม 20', 'phase.over': 'จบการแข่งขัน', 'phase.paused': 'หยุดพัก', 'phase.desynced': 'กระดานไม่ตรงกับการแข่งขัน',
  'winner': '{name} ชนะ', 'drawn': 'เสมอ', 'nomatch': 'ไม่มีการแข่งขันบนกระดานนี้',
  'verdict': 'การยิงล่าสุด', 'verdict.none': 'รอบนี้ยังไม่มีการยิง', 'verdict.of': 'ยิงที่ {number}, {name}', 'verdict.corrected': 'แก้ไขแล้ว', 'ruling.good': 'ยิงถูกกติกา', 'ruling.failed': 'ยิงพลาด', 'ruling.unclear': 'ไม่ชัดเจน', 'ruling.desynced': 'กระดานไม่ตรงกับการแข่งขัน', 'turn.forfeited': 'เสียตา', 'turn.time_ended': 'หมดเวลา', 'turn.resynced': 'ใช้กระดานตามที่วางอยู่',
  'twenty.scored': '20 ของ {name}', 'close.call': 'ก้ำกึ่ง: ห่างเส้น {gap} มม.', 'basis.contacts': 'ตัดสินจากการกระทบที่เห็น', 'basis.snapshots': 'ตัดสินจากก่อนและหลัง', 'basis.both': 'ตัดสินจากการกระทบ และแผ่นที่ขยับโดยไม่เห็นการกระทบ',

  'asks': 'โปรดดูใกล้ ๆ', 'ask.holds': 'เกมรอคำตอบ', 'ask.offer': 'เล่นต่อได้ ตอบเมื่อไม่ถูกต้อง',
  'ask.close': 'แผ่นนี้นับเท่าไร', 'ask.close.hint': 'แผ่นที่แตะเส้นแม้เพียงเล็กน้อยนับคะแนนที่ต่ำกว่า', 'ask.twenty': 'ได้ 20 หรือไม่', 'ask.removal.gone': 'แผ่นนี้หายไปทั้งที่ควรอยู่', 'ask.removal.stays': 'แผ่นนี้ต้องนำออก ยังอยู่หรือไม่', 'ask.shooter': 'ใครยิง', 'ask.board': 'กระดานวางอยู่อย่างไร', 'ask.doubt': 'ยิงถูกกติกาหรือไม่',
  'answer.touches': 'แตะเส้น', 'answer.clear': 'ไม่แตะ', 'answer.good': 'ถูก', 'answer.failed': 'พลาด', 'answer.board': 'ยังอยู่', 'answer.ditch': 'ลงคู', 'answer.twenty': 'ได้ 20', 'picture.after': 'กระดานหลังยิง', 'picture.before': 'กระดานก่อนยิง', 'picture.near': 'ภาพขยายของแผ่นที่ถาม',

  'correct': 'แก้ไข', 'correct.hint': 'แตะแผ่นเพื่อแก้ไข', 'correct.zone': 'นับ {zone}', 'correct.owner': 'เป็นของ {name}', 'correct.swap': 'สลับกับอีกแผ่น', 'correct.swap.hint': 'แตะแผ่นที่จะสลับด้วย', 'correct.gone': 'ไม่มีแผ่นนี้', 'correct.twenty': 'ได้ 20', 'correct.move': 'ย้าย', 'correct.move.hint': 'แตะตำแหน่งที่แผ่นวางอยู่', 'correct.add.hint': 'แตะตำแหน่งของแผ่น', 'correct.twenties': 'แต้ม 20 ของ {name}', 'correct.missed': 'เพิ่ม 20 ที่พลาดไปให้ {name}', 'correct.toomany': 'ลด 20 ของ {name}', 'correct.reason': 'แก้ไขที่กระดาน',
  'undo': 'เลิกทำ', 'redo': 'ทำซ้ำ', 'pause': 'พัก', 'resume': 'เล่นต่อ', 'accept': 'กระดานเป็นอย่างนี้', 'accept.why': 'ใช้กระดานตามที่วางอยู่ตอนนี้แล้วเล่นต่อ สิ่งที่มองไม่เห็นจะคำนวณให้ เว้นแต่คุณจะระบุ', 'accept.do': 'ใช้ตามนี้', 'accept.next': 'ใครยิงต่อ', 'accept.worked': 'ตามที่คำนวณ',
  'round.start': 'เริ่มรอบ', 'agree': 'ยอมรับคะแนน', 'agree.why': 'เก็บกระดานเพื่อยอมรับ หรือกดที่นี่', 'forfeit': 'เสียตา', 'time.end': 'หมดเวลา', 'match.close': 'จบการแข่งขัน', 'match.close.why': 'จบการแข่งขันเพราะอะไร', 'match.close.winner': 'ผู้ชนะ', 'nobody': 'ไม่มี', 'round.enter': 'ใส่คะแนนรอบเอง', 'round.points': 'คะแนนของ {name}', 'shootout.hits': 'แต้ม 20 ของ {name}', 'note.add': 'เพิ่มหมายเหตุ', 'note.text': 'หมายเหตุ', 'send': 'บันทึก',
  'match.new': 'แข่งใหม่', 'match.off': 'นำการแข่งขันออกจากกระดาน',

  'camera': 'กล้อง', 'camera.good': 'กล้องมองเห็นกระดาน', 'camera.absent': 'ไม่มีกล้องของระบบนี้ที่มองกระดานนี้', 'camera.off': 'กล้องปิดอยู่', 'camera.lost': 'กล้องหลุด: {why}', 'camera.waiting': 'รอกล้อง…', 'camera.calibrating': 'กำลังหากระดาน…', 'camera.waits.other': 'มี {n} การยิงรออยู่', 'camera.held': 'หลังเลิกทำ จะไม่บันทึกอะไรจนกว่ากระดานจะมีการเปลี่ยนแปลง', 'camera.failure': 'บันทึกไม่ได้: {why}', 'camera.on': 'เปิด', 'camera.switchoff': 'ปิด', 'camera.fps': '{n} ภาพต่อวินาที', 'camera.fps.other': '{n} ภาพต่อวินาที', 'camera.picture': 'ภาพจากกล้อง',
  'state.offline': 'ไม่มีภาพ', 'state.calibrating': 'กำลังหากระดาน', 'state.hand': 'มีมือเหนือกระดาน', 'state.moving': 'แผ่นกำลังเคลื่อน', 'state.settling': 'กำลังหยุด',
  'differs': 'กระดานไม่ตรงกับการแข่งขัน', 'differs.missing.other': 'มองไม่เห็น {n} แผ่นของการแข่งขัน', 'differs.extra.other': 'มีแผ่นเกินมา {n} แผ่น', 'differs.stays.other': 'ยังต้องนำออก {n} แผ่น', 'differs.what': 'จัดกระดานให้ถูก หรือใช้ตามที่วางอยู่',
  'picture.marks': 'แตะเพื่อแสดงหรือซ่อนเครื่องหมาย',
  'verdict.all': 'การยิงทั้งหมดของการแข่งขัน', 'match.export': 'ดาวน์โหลดการแข่งขัน', 'correct.add.of': 'เพิ่มแผ่นของ {name}',
  'answer.removed': 'นำออกแล้ว', 'answer.stays': 'ยังอยู่และนับ', 'answer.put_back': 'วางกลับแล้ว',
  'state.idle': 'พร้อมยิง', 'state.settled': 'เห็นการยิงแล้ว', 'state.removing': 'กำลังนำแผ่นออก', 'state.round_over': 'เก็บกระดานแล้ว', 'state.desynced': 'ไม่มีการยิงใดทำให้เป็นอย่างนี้ได้', 'state.paused': 'หยุดพัก',

  'hall.none': 'ยังไม่มีกระดาน', 'hall.playing.other': 'กำลังแข่ง {n} คู่', 'hall.asks.other': '{n} คำถาม',

  'setup.title': 'ตั้งค่ากระดาน', 'setup.lead': 'ตั้งกล้องเหนือกระดาน ให้เห็นทั้งกระดานและแสงสม่ำเสมอ สามขั้นตอน แล้วคะแนนจะนับเอง',
  'setup.source': 'ใช้กล้องไหน', 'setup.own': 'แหล่งอื่น', 'setup.own.hint': 'กล้องเครือข่าย ไฟล์วิดีโอ camera:0', 'setup.demo': 'การแข่งขันจำลอง', 'setup.demo.hint': 'ลองทุกอย่างได้โดยไม่ต้องมีกล้อง', 'setup.nocamera': 'ไม่พบกล้องในเครื่องนี้ เสียบกล้องแล้วโหลดหน้านี้ใหม่',
  'setup.name': 'ชื่อกระดาน', 'setup.name.first': 'โต๊ะ 1', 'setup.board': 'ชนิดกระดาน', 'setup.board.auto': 'วัดจากภาพ', 'setup.next': 'ดูภาพ',
  'setup.fixed': 'กระดานนี้อยู่ในการตั้งค่าของบริการ ต้องแก้ที่นั่น', 'setup.change': 'เปลี่ยนกล้อง', 'setup.source.other': 'แหล่งอื่น', 'setup.size': 'ขนาดภาพ', 'setup.focus': 'โฟกัส', 'setup.exposure': 'การเปิดรับแสง', 'setup.mains': 'ความถี่ไฟของหลอดไฟ',
  'setup.look': 'กล้องเห็นกระดานหรือไม่', 'setup.fit': 'เส้นคลาดเคลื่อน', 'setup.detail': 'หนึ่งพิกเซลเท่ากับ', 'setup.tilt': 'เอียงจากแนวดิ่ง', 'setup.fine': 'ไม่ต้องปรับ วงแหวนตรงกับเส้นแล้ว', 'setup.handles': 'ภาพพร้อมเส้นของกระดาน', 'setup.handle': 'ปลายนอกของเส้นแบ่งที่ {number}', 'setup.handles.hint': 'วงสีเขียวควรตรงกับเส้นที่พิมพ์ และบอกฝั่งของผู้เล่นแต่ละคน ถ้าไม่ตรง ให้ลากจุดทั้งสี่ไปที่ปลายนอกของเส้นสั้น หรือเลื่อนด้วยปุ่มลูกศร',
  'setup.again': 'หาใหม่', 'setup.turn': 'หมุนฝั่งไปหนึ่งในสี่', 'setup.use': 'ใช้จุดเหล่านี้', 'setup.hand': 'ชี้เอง',
  'setup.play': 'ใครเล่น', 'play.rules': 'กติกา', 'play.layout': 'จำนวนผู้เล่น', 'play.player': 'ผู้เล่นทิศ{seat}', 'play.colour': 'แผ่นของ {side}', 'play.colour.seen': 'ตามที่เห็นครั้งแรก', 'play.lead': 'ใครยิงก่อน', 'play.title': 'ชื่อการแข่งขัน (ไม่บังคับ)', 'play.games': 'จำนวนเกมสูงสุด', 'play.more': 'ความยาวต่างจากกติกา', 'play.rounds': 'รอบต่อเกม', 'play.target': 'หรือคะแนนที่ต้องถึง', 'play.start': 'เริ่มการแข่งขัน', 'play.on': 'มีการแข่งขันบนกระดานนี้แล้ว', 'play.blind': 'ยังไม่พบกระดาน เริ่มได้ และจะนับเมื่อพบ',
  'layout.2p': 'สองคน', 'layout.4p': 'สี่คน เป็นคู่', 'layout.3p_2v1': 'สามคน สองต่อหนึ่ง', 'layout.3p_ffa': 'สามคน ต่างคนต่างเล่น', 'layout.4p_ffa': 'สี่คน ต่างคนต่างเล่น',
  'colour.black': 'สีดำ', 'colour.natural': 'สีไม้', 'colour.white': 'สีขาว', 'colour.red': 'สีแดง', 'colour.blue': 'สีน้ำเงิน', 'colour.green': 'สีเขียว', 'colour.yellow': 'สีเหลือง', 'colour.brown': 'สีน้ำตาล',

  'matches.list': 'แข่งแล้วและกำลังแข่ง', 'matches.who': 'การแข่งขัน', 'matches.result': 'ผล', 'matches.when': 'เริ่ม', 'matches.code': 'รหัส', 'matches.playing': 'กำลังแข่ง', 'matches.none': 'ยังไม่มีการแข่งขัน', 'matches.older': 'การแข่งขันก่อนหน้า',
  'match.rounds': 'รอบ', 'match.round': 'รอบ', 'match.awarded': 'ได้', 'match.replay': 'ดูทีละการยิง', 'step.first': 'การยิงแรก', 'step.back': 'ย้อน', 'step.on': 'ถัดไป', 'step.last': 'การยิงสุดท้าย',
  'stats.title': 'สถิติผู้เล่น', 'stats.none': 'ยังไม่มีการยิง', 'stats.twenties': 'ได้ 20 จากทุกการยิง', 'stats.open': 'ได้ 20 เมื่อกระดานว่าง', 'stats.hits': 'ยิงถูกกติกาเมื่อมีแผ่นคู่แข่ง', 'stats.between': 'อัตราจริงอยู่ระหว่าง {low} ถึง {high}', 'stats.rests': 'แผ่นที่ยิงหยุดที่ไหน', 'stats.heat': 'ตำแหน่งที่แผ่นของ {name} หยุด', 'stats.heat.hint': 'ผู้เล่นนั่งด้านล่าง',
  'stats.matches.other': '{n} การแข่งขัน', 'stats.won': 'ชนะ {n}', 'stats.won.other': 'ชนะ {n}', 'stats.shots.other': 'ยิง {n} ครั้ง', 'stats.failed': 'พลาด {n}', 'stats.failed.other': 'พลาด {n}',

  'referee.raw': 'ภาพดิบ', 'referee.annotated': 'พร้อมสิ่งที่พบ', 'referee.rectified': 'มองจากด้านบน', 'referee.discs': 'แผ่นที่หยุดนิ่ง', 'referee.numbers': 'กล้องและกระดาน', 'referee.log': 'เหตุการณ์', 'referee.source': 'แหล่งภาพ', 'referee.state': 'กระดาน', 'referee.got': 'ภาพ', 'referee.asked': 'ที่ขอ', 'referee.rate': 'เฟรม', 'referee.age': 'เฟรมล่าสุดเมื่อ', 'referee.analysis': 'เวลาต่อเฟรม', 'referee.passed': 'ข้ามไป', 'referee.sessions': 'เปิดกล้องกี่ครั้ง', 'referee.drift': 'เลื่อนไป', 'referee.waiting': 'การยิงที่รอ', 'referee.side': 'ฝ่าย', 'referee.sure': 'ความมั่นใจ', 'referee.lies': 'วางอยู่', 'referee.zone': 'โซน', 'referee.fate': 'ผล', 'referee.why': 'เหตุผล', 'referee.outcomes': 'ทุกแผ่นของการยิง', 'referee.openshot': 'กระดานว่าง', 'referee.took': 'จากเริ่มขยับจนหยุด {seconds} วินาที', 'referee.evidence': 'การกระทบและสิ่งอื่นที่เห็น',
};
