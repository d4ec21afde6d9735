# peer.capnp - some of messages.pkt for Cap'n Proto. A quantized float is a float there.
@0xd1b2f7c03a5e4986;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("peer");

struct Input {
    sequence @0 :UInt16;
    ackBits @1 :UInt32;
    entity @2 :UInt16;
    aimX @3 :Int16;
    aimY @4 :Int16;
    aimZ @5 :Int16;
    yaw @6 :UInt16;
    moving @7 :Bool;
    firing @8 :Bool;
    sentAt @9 :UInt64;
    weapon @10 :UInt8;
}

struct Object {
    x @0 :Float32;
    y @1 :Float32;
    z @2 :Float32;
    vx @3 :Float32;
    vy @4 :Float32;
    vz @5 :Float32;
    atRest @6 :Bool;
    id @7 :UInt32;
}

struct ObjectArray {
    objects @0 :List(Object);
}

struct Chat {
    text @0 :Text;
}
