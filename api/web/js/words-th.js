export default {
  'nav.boards': 'กระดาน', 'nav.matches': 'การแข่งขัน', 'nav.photo': 'ภาพถ่าย', 'nav.setup': 'ตั้งค่า', 'nav.referee': 'กรรมการ', 'nav.live': 'สด',
  'nav.label': 'หน้า', 'nav.language': 'ภาษา', 'nav.skip': 'ข้ามไปที่เนื้อหา',
  'line.waiting': 'ขาดการเชื่อมต่อกับ Crokcam กำลังลองใหม่…', 'line.refused': 'ต้องใช้โทเคน', 'line.first': 'กำลังหากระดาน…',
  'sign.title': 'ลงชื่อเข้าใช้', 'sign.why': 'ขอโทเคนได้จากผู้จัดการแข่งขัน', 'sign.token': 'โทเคน', 'sign.in': 'เข้าใช้',
  'changed': 'มีคนทำก่อนแล้ว หรือการแข่งขันเดินหน้าไปแล้ว นี่คือสถานะล่าสุด โปรดดูแล้วลองใหม่',
  'failed': 'ทำไม่สำเร็จ: {why}', 'done': 'เสร็จแล้ว', 'cancel': 'ยกเลิก', 'close': 'ปิด', 'yes': 'ใช่', 'no': 'ไม่ใช่', 'save': 'บันทึก', 'more': 'เพิ่มเติม', 'optional': 'ไม่บังคับ', 'loading': 'รอสักครู่…', 'missing': 'ไม่มีหน้านี้',

  'side': 'ฝ่าย {side}', 'points': 'คะแนน', 'twenties': 'แต้ม 20', 'hammer': 'ยิงสุดท้าย', 'lead': 'ยิงก่อน', 'round': 'รอบ {n}', 'round.other': 'รอบ {n}', 'game': 'เกม {n}', 'game.other': 'เกม {n}', 'games': 'เกม',
  'left.other': 'เหลือ {n} แผ่น', 'thisround': 'รอบนี้', 'zone.out': 'ออก', 'seat.south': 'ใต้', 'seat.west': 'ตะวันตก', 'seat.north': 'เหนือ', 'seat.east': 'ตะวันออก',
  'board': 'กระดาน', 'board.empty': 'กระดานว่าง', 'board.says.other': 'มี {n} แผ่นบนกระดาน', 'disc.says': '{name}: นับ {zone}',
  'score': 'คะแนน', 'score.says': '{name} {points}',

  'phase.between': 'ระหว่างรอบ', 'phase.shooting': 'ตาของ {name}', 'phase.judging': 'กำลังตัดสิน…', 'phase.asking': 'มีคำถามรอคำตอบ', 'phase.removing': 'นำแผ่นที่ทำเครื่องหมายออก', 'phase.restoring': 'วางแผ่นที่ทำเครื่องหมายให้ถูกที่', 'phase.counting': 'นับคะแนนรอบนี้', 'phase.shootout': 'ยิงตัดสินด้วยแต้ม 20', 'phase.over': 'จบการแข่งขัน', 'phase.paused': 'หยุดพัก', 'phase.desynced': 'กระดานไม่ตรงกับการแข่งขัน',
  'winner': '{name} ชนะ', 'drawn': 'เสมอ', 'nomatch': 'ไม่มีการแข่งขันบนกระดานนี้',
  'verdict': 'การยิงล่าสุด', 'verdict.none': 'รอบนี้ยังไม่มีการยิง', 'verdict.of': 'ยิงที่ {number}, {name}', 'verdict.corrected': 'แก้ไขแล้ว', 'ruling.good': 'ยิงถูกกติกา', 'ruling.failed': 'ยิงพลาด', 'ruling.unclear': 'ไม่ชัดเจน', 'ruling.desynced': 'กระดานไม่ตรงกับการแข่งขัน', 'turn.forfeited': 'เสียตา', 'turn.time_ended': 'หมดเวลา', 'turn.resynced': 'ใช้กระดานตามที่วางอยู่',
  'twenty.scored': '20 ของ {name}', 'close.call': 'ก้ำกึ่ง: ห่างเส้น {gap} มม.', 'basis.contacts': 'ตัดสินจากการกระทบที่เห็น', 'basis.snapshots': 'ตัดสินจากก่อนและหลัง', 'basis.both': 'ตัดสินจากการกระทบ และแผ่นที่ขยับโดยไม่เห็นการกระทบ',

  'asks': 'โปรดดูใกล้ ๆ', 'ask.holds': 'เกมรอคำตอบ', 'ask.offer': 'เล่นต่อได้ ตอบเมื่อไม่ถูกต้อง',
  'ask.close': 'แผ่นนี้นับเท่าไร', 'ask.close.hint': 'แผ่นที่แตะเส้นแม้เพียงเล็กน้อยนับคะแนนที่ต่ำกว่า', 'ask.twenty': 'ได้ 20 หรือไม่', 'ask.removal': 'แผ่นนี้เป็นอย่างไร', 'ask.removal.gone': 'แผ่นนี้หายไปทั้งที่ควรอยู่', 'ask.removal.stays': 'แผ่นนี้ต้องนำออก ยังอยู่หรือไม่', 'ask.shooter': 'ใครยิง', 'ask.board': 'กระดานวางอยู่อย่างไร', 'ask.doubt': 'ยิงถูกกติกาหรือไม่',
  'answer.touches': 'แตะเส้น', 'answer.clear': 'ไม่แตะ', 'answer.good': 'ถูก', 'answer.failed': 'พลาด', 'answer.board': 'ยังอยู่', 'answer.ditch': 'ลงคู', 'answer.twenty': 'ได้ 20', 'picture.after': 'กระดานหลังยิง', 'picture.before': 'กระดานก่อนยิง', 'picture.near': 'ภาพขยายของแผ่นที่ถาม',

  'correct': 'แก้ไข', 'correct.hint': 'แตะแผ่นเพื่อแก้ไข', 'correct.zone': 'นับ {zone}', 'correct.owner': 'เป็นของ {name}', 'correct.gone': 'ไม่มีแผ่นนี้', 'correct.twenty': 'ได้ 20', 'correct.move': 'ย้าย', 'correct.move.hint': 'แตะตำแหน่งที่แผ่นวางอยู่', 'correct.add': 'เพิ่มแผ่น', 'correct.add.for': 'แผ่นของใคร', 'correct.add.hint': 'แตะตำแหน่งของแผ่น', 'correct.twenties': 'แต้ม 20 ของ {name}', 'correct.missed': 'เพิ่ม 20 ที่พลาดไปให้ {name}', 'correct.toomany': 'ลด 20 ของ {name}', 'correct.reason': 'แก้ไขที่กระดาน',
  'undo': 'เลิกทำ', 'redo': 'ทำซ้ำ', 'pause': 'พัก', 'resume': 'เล่นต่อ', 'accept': 'กระดานเป็นอย่างนี้', 'accept.why': 'ใช้กระดานตามที่วางอยู่ตอนนี้แล้วเล่นต่อ สิ่งที่มองไม่เห็นจะคำนวณให้ เว้นแต่คุณจะระบุ', 'accept.do': 'ใช้ตามนี้', 'accept.next': 'ใครยิงต่อ', 'accept.worked': 'ตามที่คำนวณ',
  'round.start': 'เริ่มรอบ', 'agree': 'ยอมรับคะแนน', 'agree.why': 'เก็บกระดานเพื่อยอมรับ หรือกดที่นี่', 'forfeit': 'เสียตา', 'time.end': 'หมดเวลา', 'match.close': 'จบการแข่งขัน', 'match.close.why': 'จบการแข่งขันเพราะอะไร', 'match.close.winner': 'ผู้ชนะ', 'nobody': 'ไม่มี', 'round.enter': 'ใส่คะแนนรอบเอง', 'round.points': 'คะแนนของ {name}', 'shootout.hits': 'แต้ม 20 ของ {name}', 'note.add': 'เพิ่มหมายเหตุ', 'note.text': 'หมายเหตุ', 'send': 'บันทึก',
  'match.new': 'แข่งใหม่', 'match.off': 'นำการแข่งขันออกจากกระดาน',

  'camera': 'กล้อง', 'camera.good': 'กล้องมองเห็นกระดาน', 'camera.off': 'กล้องปิดอยู่', 'camera.lost': 'กล้องหลุด: {why}', 'camera.waiting': 'รอกล้อง…', 'camera.calibrating': 'กำลังหากระดาน…', 'camera.waits.other': 'มี {n} การยิงรออยู่', 'camera.held': 'หลังเลิกทำ จะไม่บันทึกอะไรจนกว่ากระดานจะมีการเปลี่ยนแปลง', 'camera.failure': 'บันทึกไม่ได้: {why}', 'camera.on': 'เปิด', 'camera.switchoff': 'ปิด', 'camera.fps': '{n} ภาพต่อวินาที', 'camera.fps.other': '{n} ภาพต่อวินาที', 'camera.picture': 'ภาพจากกล้อง',
  'state.offline': 'ไม่มีภาพ', 'state.calibrating': 'กำลังหากระดาน', 'state.hand': 'มีมือเหนือกระดาน', 'state.moving': 'แผ่นกำลังเคลื่อน', 'state.settling': 'กำลังหยุด',
  'differs': 'กระดานไม่ตรงกับการแข่งขัน', 'differs.missing.other': 'มองไม่เห็น {n} แผ่นของการแข่งขัน', 'differs.extra.other': 'มีแผ่นเกินมา {n} แผ่น', 'differs.stays.other': 'ยังต้องนำออก {n} แผ่น', 'differs.what': 'จัดกระดานให้ถูก หรือใช้ตามที่วางอยู่',
};
