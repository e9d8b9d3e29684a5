"""What the engine learnt from: games with itself, and the nets and files made of them."""
