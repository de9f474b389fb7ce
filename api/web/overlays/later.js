// Later keeps what happens back until its picture has come through the mixer. A
// message is due delay ms after its frame was taken. Only the server's clock is
// used: it says how long before the telling the frame was, and the telling is now.
export class Later {
  constructor(delay, pass) {
    this.delay = delay;
    this.pass = pass;
    this.waiting = [];
    this.due = 0; // of the last one: nothing overtakes
    this.begun = false;
  }

  take(message) {
    if (!this.delay || !this.begun) { // better early once than nothing at all
      this.begun = true;
      this.pass(message);
      return;
    }
    const now = performance.now();
    this.due = Math.max(this.due, now + Math.max(0, this.delay - this.age(message)));
    this.waiting.push({ message, at: this.due });
    if (this.waiting.length === 1) this.wait();
  }

  // age is how long ago the frame was taken, ms.
  age(message) {
    return message.captured_at ? Math.max(0, Date.parse(message.time) - Date.parse(message.captured_at)) : 0;
  }

  wait() {
    setTimeout(() => {
      const now = performance.now() + 1;
      while (this.waiting.length && this.waiting[0].at <= now) this.pass(this.waiting.shift().message);
      if (this.waiting.length) this.wait();
    }, Math.max(0, this.waiting[0].at - performance.now()));
  }
}
