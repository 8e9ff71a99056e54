// Sends the answer to the application, and takes the form away: after Back, nothing can send the same code again.
const answer = document.getElementById('answer');
answer.querySelector('form').submit();
answer.remove();
document.getElementById('sent').hidden = false;
